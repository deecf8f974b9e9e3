/** True on a Mac, whose key for commands is ⌘. */
export const isMac = (): boolean => navigator.userAgent.includes('Macintosh');
