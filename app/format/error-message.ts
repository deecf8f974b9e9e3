/** Returns the message of an error, or the text of any other value that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the code of a system's error, such as `ENOENT`; null: the error has none. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
