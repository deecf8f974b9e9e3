/** Returns the message of an error that was thrown, or the text of anything else that was. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
