import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Places } from './places.ts';

/** A folder of another user, in which this process would open or make files. */
interface ForeignFolder {
  readonly path: string;
  /** The uid of its owner. */
  readonly owner: number;
}

/** The owner of a folder, or of the nearest one above it that is there; null: not to be told. */
const ownerOf = (path: string): ForeignFolder | null => {
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return { path: folder, owner: statSync(folder).uid };
    } catch {
      if (dirname(folder) === folder) return null;
    }
  }
};

/**
 * Returns the home, or the folder of Curfew's own files, that belongs to another user than the one
 * this process runs as: `sudo -E`, and `sudo` on macOS, keep the user's HOME. Root would follow the
 * user's links there, and leave files that the user can't open. null: none does. A folder of root's
 * is harmless: containers have such homes. Windows knows no such owner.
 */
const foreignFolder = (home: string, { state, settings }: Pick<Places, 'state' | 'settings'>): ForeignFolder | null => {
  const self = process.geteuid?.();
  if (self === undefined) return null;
  const owners = [home, state, dirname(settings)].map(ownerOf);
  return owners.find((one) => one !== null && one.owner !== self && one.owner !== 0) ?? null;
};

/** This process runs as another user than the one whose files it would open. */
export class ForeignHome extends Error {
  override readonly name = 'ForeignHome';
}

/**
 * Called before anything of the user's is opened or made.
 * @throws ForeignHome, with what to do
 */
export const refuseForeignHome = (home: string, places: Pick<Places, 'state' | 'settings'>): void => {
  const found = foreignFolder(home, places);
  if (found === null) return;
  const self = process.geteuid?.() === 0 ? 'root' : `the user with uid ${process.geteuid?.()}`;
  throw new ForeignHome(
    `this runs as ${self}, but ${found.path} belongs to the user with uid ${found.owner}, so nothing was opened. ` +
      `Files made there would be ${self === 'root' ? "root's" : 'another user’s'}, and that user's Curfew could not use them. ` +
      `Run it as that user, or with a home of your own: \`sudo -H curfew …\`, and without CURFEW_HOME`,
  );
};
