import { dirname } from 'node:path';
import { type OwnedPlace, placeOfAnother } from './files/whole-file.ts';
import type { Places } from './places.ts';

type OwnPlaces = Pick<Places, 'state' | 'settings' | 'logs' | 'runs'>;

/**
 * Returns the home, or the folder of Curfew's own files, that belongs to another user than the one
 * this process runs as: `sudo -E`, and `sudo` on macOS, keep the user's HOME. Root would follow the
 * user's links there, and leave files that the user can't open. null: none does. A folder of root's
 * is harmless: containers have such homes. Windows knows no such owner.
 */
const foreignFolder = (home: string, { state, settings, logs, runs }: OwnPlaces): OwnedPlace | null =>
  [home, state, dirname(settings), logs, runs].map(placeOfAnother).find((one) => one !== null) ?? null;

/** This process runs as another user than the one whose files it would open. */
export class ForeignHome extends Error {
  override readonly name = 'ForeignHome';
}

/**
 * Called before anything of the user's is opened or made.
 * @throws ForeignHome, with what to do
 */
export const refuseForeignHome = (home: string, places: OwnPlaces): void => {
  const found = foreignFolder(home, places);
  if (found === null) return;
  const self = process.geteuid?.() === 0 ? 'root' : `the user with uid ${process.geteuid?.()}`;
  throw new ForeignHome(
    `this runs as ${self}, but ${found.path} belongs to the user with uid ${found.owner}, so nothing was opened. ` +
      `Files made there would be ${self === 'root' ? "root's" : 'another user’s'}, and that user's Curfew could not use them. ` +
      `Run it as that user, or with a home of your own: \`sudo -H curfew …\`, and without CURFEW_HOME`,
  );
};
