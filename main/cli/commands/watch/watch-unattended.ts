import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { childStatus } from '../../../../app/all-users/child-status.ts';
import type { ChildEnd } from '../../../../app/all-users/turn.ts';
import { hasOwnHome, runtimeFolder } from '../../../home/own-home.ts';
import { SignsOfLife } from '../../../home/unexplained-exits.ts';
import { RestWatch, sawNothing } from '../../../home/rest-watch.ts';
import { SupervisionTaken, WatchSession } from '../../../home/watch-session.ts';
import { forgetLockRequest, isLockRequested } from '../../../store/supervisor-lock.ts';
import type { Output } from '../../common/output.ts';
import { inputEnded } from '../../common/standard-input.ts';
import { untilTold } from '../../common/until-told.ts';
import { textEvents } from './watch-events.ts';
import type { UnattendedOptions, WatchOptions } from './watch-options.ts';

/** Time between two looks for a request, ms. */
const requestMs = 500;

const open = (options: WatchOptions, withoutHosts: boolean, output: Output): WatchSession | null => {
  try {
    return WatchSession.open({
      what: 'service',
      uid: null,
      warn: output.warn,
      withoutHosts,
      ...(options.mode === null ? {} : { mode: options.mode }),
    });
  } catch (error) {
    if (error instanceof SupervisionTaken) return null;
    throw error;
  }
};

/** Time between two signs of life, ms. */
const signMs = 10_000;

/** Gives a sign of life; one that the other end does not want is no trouble of ours. */
const giveSign = (fd: number): void => {
  try {
    writeSync(fd, '.');
  } catch {
    // The service has gone: then standard input ends, too. Or it reads late: then one is waiting.
  }
};

/**
 * `curfew watch --unattended`: the supervisor of one user, as a child of the service for all users.
 * It has that user's rights and nothing else, and makes room for a Curfew that the user starts.
 * Returns its exit status, see `childStatus`.
 */
export const watchUnattended = async (
  options: WatchOptions,
  { restSeconds, allHosts, signsFd }: UnattendedOptions,
  output: Output,
): Promise<(typeof childStatus)[keyof typeof childStatus]> => {
  const told = Promise.race([untilTold(), inputEnded()]);
  if (!hasOwnHome(homedir(), process.getuid?.() ?? -1)) return childStatus['no-home'];
  const runtime = runtimeFolder(process.getuid?.() ?? -1);
  if (runtime !== null) process.env['XDG_RUNTIME_DIR'] = runtime;
  const supervision = open(options, !allHosts, output);
  if (supervision === null) return childStatus['stood-back'];
  const { engine } = supervision;
  const { eventsOf } = textEvents(output);
  const events = eventsOf();
  const rest = new RestWatch(restSeconds);
  const { promise: over, resolve } = Promise.withResolvers<ChildEnd>();
  const { lock } = engine.places;
  const asking = setInterval(() => {
    if (isLockRequested(lock)) resolve('stood-back');
  }, requestMs);
  const signs = new SignsOfLife(() => engine.settings().scanIntervalSeconds * 1000, performance.now());
  const giving = setInterval(() => {
    if (signsFd !== null && signs.isWorking(performance.now())) giveSign(signsFd);
  }, signMs);
  try {
    // One from before its lock is of a process that went on without.
    forgetLockRequest(lock);
    await supervision.begin(
      {
        ...events,
        looked: (look) => {
          signs.worked(performance.now());
          const { rules, hosts } = engine.settings();
          const watched = { rules, hosts: allHosts ? hosts : [] };
          if (rest.look(sawNothing(look, watched), performance.now())) resolve('rested');
        },
        problem: (error) => {
          signs.worked(performance.now());
          events.problem(error);
        },
      },
      eventsOf,
      output.warn,
    );
    const lost = supervision.lost.then(() => 'stood-back' as const);
    const why = await Promise.race([told.then(() => 'told' as const), lost, over]);
    await supervision.end(why);
    return why === 'stood-back' ? childStatus['stood-back'] : childStatus.rested;
  } finally {
    clearInterval(asking);
    clearInterval(giving);
    await supervision.end('failed');
  }
};
