import type { Range } from './row.ts';

/** The ports that an exemption may name. */
export const portRange: Range = { min: 1, max: 65_535 };

/**
 * Returns true for a folder that an exemption may name: POSIX, or Windows with a drive, or one
 * below the user's own. A relative one would never fit any project.
 */
export const isExemptFolder = (text: string): boolean => /^(?:\/|~\/|~$|[A-Za-z]:[\\/])/u.test(text);
