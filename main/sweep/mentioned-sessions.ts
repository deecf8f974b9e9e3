import { basename } from 'node:path';
import { readBoundedFile } from '../os/files/bounded-read.ts';

/** At most this much is read: some seconds. Bytes. */
const maxFile = 256 * 1024 * 1024;
const maxAll = 1024 * 1024 * 1024;

const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu;

/**
 * Returns the sessions that transcripts of other sessions name: a fork is told the paths of its
 * parent's outputs, and reads them when it is resumed. null: unknown, because there is too much to
 * read, or one can't be read.
 */
export const mentionedSessions = (transcripts: readonly string[]): ReadonlySet<string> | null => {
  const found = new Set<string>();
  let left = maxAll;
  for (const path of transcripts) {
    try {
      const file = readBoundedFile(path, Math.min(maxFile, left));
      if (file.kind !== 'read') return null;
      left -= file.bytes.length;
      const own = basename(path, '.jsonl');
      for (const [one] of file.bytes.toString('latin1').matchAll(id)) if (one !== own) found.add(one);
    } catch (error) {
      if (error instanceof Error && 'code' in error) return null;
      throw error;
    }
  }
  return found;
};
