import { setTimeout as pause } from 'node:timers/promises';
import { hookFolders } from '../agents/hooks/form/folders.ts';
import { queueSessionNotice } from '../agents/hooks/inbox/notices.ts';
import type { Look } from '../observing/look.ts';
import { driveToEnd } from '../reaping/drive.ts';
import type { Reaper } from '../reaping/reaper.ts';
import { completeHere, type OwnRecords } from '../reaping/recovery.ts';
import type { Places } from '../store/places.ts';
import type { PassMachine } from './end.ts';

/** How often the reapings in progress are asked whether they need a look, milliseconds. */
const pollMs = 50;

export interface PassEngine extends OwnRecords, Pick<PassMachine, 'journalProblem'> {
  readonly observer: { readonly look: () => Look };
  readonly reaper: Reaper;
  readonly places: Places;
}

/**
 * This machine, for a pass without a supervisor. What it ends is left for the next session of its
 * project to know, unless its own session ended it.
 */
export const thisMachine = (engine: PassEngine): PassMachine => {
  const { reaper, observer, journalProblem } = engine;
  const folders = hookFolders(engine.places);
  return {
    where: 'here',
    reaper,
    journalProblem,
    completeRecords: ({ table }) => completeHere(engine, table),
    finish: (first, progressed) =>
      driveToEnd(
        first,
        (look) => {
          const progress = reaper.advance(look);
          queueSessionNotice(folders, ...progress.ended.filter(({ decidedBy }) => decidedBy !== 'agent'));
          progressed(progress);
          return reaper.inProgress.length > 0;
        },
        async () => {
          while (!reaper.needsLook()) await pause(pollMs);
          return observer.look();
        },
      ),
  };
};
