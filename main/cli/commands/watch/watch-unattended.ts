import { homedir } from 'node:os';
import { childStatus } from '../../../../app/all-users/child-status.ts';
import type { ChildEnd } from '../../../../app/all-users/turn.ts';
import { hasOwnHome } from '../../../home/own-home.ts';
import { RestWatch, sawNothing } from '../../../home/rest-watch.ts';
import { SupervisionTaken, WatchSession } from '../../../home/watch-session.ts';
import { forgetLockRequest, isLockRequested } from '../../../store/lock-request.ts';
import type { Output } from '../../common/output.ts';
import { inputEnded } from '../../common/standard-input.ts';
import { untilTold } from '../../common/until-told.ts';
import { textEvents } from './watch-events.ts';
import type { WatchOptions } from './watch-options.ts';

/** Time between two looks for a request, ms. */
const requestMs = 500;

const open = (options: WatchOptions, output: Output): WatchSession | null => {
  try {
    return WatchSession.open({
      what: 'service',
      uid: null,
      warn: output.warn,
      ...(options.mode === null ? {} : { mode: options.mode }),
    });
  } catch (error) {
    if (error instanceof SupervisionTaken) return null;
    throw error;
  }
};

/**
 * `curfew watch --unattended`: the supervisor of one user, as a child of the service for all users.
 * It has that user's rights and nothing else, and makes room for a Curfew that the user starts.
 * Returns its exit status, see `childStatus`.
 */
export const watchUnattended = async (
  options: WatchOptions,
  restSeconds: number,
  output: Output,
): Promise<(typeof childStatus)[keyof typeof childStatus]> => {
  const told = Promise.race([untilTold(), inputEnded()]);
  if (!hasOwnHome(homedir(), process.getuid?.() ?? -1)) return childStatus['no-home'];
  const supervision = open(options, output);
  if (supervision === null) return childStatus['stood-back'];
  const { engine } = supervision;
  const listeners = textEvents(output);
  const rest = new RestWatch(restSeconds);
  const { promise: over, resolve } = Promise.withResolvers<ChildEnd>();
  const { lock } = engine.places;
  const asking = setInterval(() => {
    if (isLockRequested(lock)) resolve('stood-back');
  }, requestMs);
  try {
    // One from before its lock is of a process that went on without.
    forgetLockRequest(lock);
    await supervision.begin(
      {
        ...listeners.events,
        looked: (look) => {
          if (rest.look(sawNothing(look, engine.settings()), performance.now())) resolve('rested');
        },
      },
      listeners.hostEvents,
      output.warn,
    );
    const lost = supervision.lost.then(() => 'stood-back' as const);
    const why = await Promise.race([told.then(() => 'told' as const), lost, over]);
    await supervision.end(why);
    return why === 'stood-back' ? childStatus['stood-back'] : childStatus.rested;
  } finally {
    clearInterval(asking);
    await supervision.end('failed');
  }
};
