/** Returns a text as one word of a POSIX shell, whatever is in it. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
