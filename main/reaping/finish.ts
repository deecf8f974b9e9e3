import { setTimeout as pause } from 'node:timers/promises';
import type { Look } from '../observing/look.ts';
import { driveToEnd } from './drive.ts';
import type { ReaperProgress } from './progress.ts';
import type { Reaper } from './reaper.ts';

/** How often the reapings in progress are asked whether they need a look, milliseconds. */
const pollMs = 50;

/**
 * Drives what the reaper has taken up to its end, where no supervisor does.
 * @param look the one that the jobs were judged at
 * @param progressed is told what came to its end, as it does
 */
export const finishReapings = (
  reaper: Reaper,
  look: Look,
  lookNow: () => Look,
  progressed: (progress: ReaperProgress) => void,
): Promise<void> =>
  driveToEnd(
    look,
    (latest) => {
      progressed(reaper.advance(latest));
      return reaper.inProgress.length > 0;
    },
    async () => {
      while (!reaper.needsLook()) await pause(pollMs);
      return lookNow();
    },
  );
