import { dirname } from 'node:path';
import { joined, SaidError, say } from '../../app/text/say.ts';
import { type OwnedPlace, placeOfAnother } from '../os/files/owned-place.ts';
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
export class ForeignHome extends SaidError {
  override readonly name = 'ForeignHome';
}

/**
 * Called before anything of the user's is opened or made.
 * @throws ForeignHome, with what to do
 */
export const refuseForeignHome = (home: string, places: OwnPlaces): void => {
  const found = foreignFolder(home, places);
  if (found === null) return;
  const { path, owner } = found;
  const why =
    process.geteuid?.() === 0
      ? say(
          "this runs as root, but {path} belongs to the user with uid {owner}, so nothing was opened. Files made there would be root's, and that user's Curfew could not use them.",
          { path, owner },
        )
      : say(
          "this runs as the user with uid {uid}, but {path} belongs to the user with uid {owner}, so nothing was opened. Files made there would be another user’s, and that user's Curfew could not use them.",
          { path, owner, uid: process.geteuid?.() ?? '' },
        );
  throw new ForeignHome(
    joined(why, say('Run it as that user, or with a home of your own: `sudo -H curfew …`, and without CURFEW_HOME')),
  );
};
