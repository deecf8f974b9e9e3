/** Returns what was read as bytes, a character each, as UTF-8. */
export const utf8Of = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
