import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Places } from '../places.ts';

/** Longer names are refused by file systems; bytes. */
const maxNameBytes = 200;

const isOwnFolder = (folder: string): boolean => {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
};

/**
 * The folder of the user for this boot, outside of the home: what a restored home lacks is there.
 * On Linux not from the environment, which a timer's pass has another one of. null: there is none.
 * https://specifications.freedesktop.org/basedir-spec/latest/ (XDG_RUNTIME_DIR)
 */
const bootFolder = (): string | null => {
  const uid = process.getuid?.() ?? 0;
  const runtime = `/run/user/${uid}`;
  const folder = isOwnFolder(runtime) ? join(runtime, 'curfew') : join(tmpdir(), `curfew-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return null;
  }
  return isOwnFolder(folder) ? folder : null;
};

/** Returns the paths of the copies of what is spared: one in the home, one that a boot lasts. */
export const sparedPlaces = ({ state }: Pick<Places, 'state'>): readonly string[] => {
  const own = join(state, 'spared.jsonl');
  const folder = bootFolder();
  return folder === null ? [own] : [own, join(folder, `${encodeURIComponent(state).slice(-maxNameBytes)}.jsonl`)];
};
