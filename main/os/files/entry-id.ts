import { createHash } from 'node:crypto';

/**
 * Returns the name of something as it is at this moment: of its real path, with what tells it from
 * another in its place. Its text can't be read from it, so it may be shown where a path may not.
 */
export const entryId = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
