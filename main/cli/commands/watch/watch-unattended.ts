import { writeSync, lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { childStatus } from '../../../../app/all-users/child-status.ts';
import type { ChildEnd } from '../../../../app/all-users/turn.ts';
import { SignsOfLife } from '../../../home/unexplained-exits.ts';
import { SupervisionTaken, WatchSession } from '../../../home/watch-session.ts';
import { forgetLockRequest, isLockRequested } from '../../../store/supervisor-lock.ts';
import type { Output } from '../../common/output.ts';
import { inputEnded } from '../../common/standard-input.ts';
import { untilTold } from '../../common/until-told.ts';
import { textEvents } from './watch-events.ts';
import type { UnattendedOptions, WatchOptions } from './watch-options.ts';
import type { Settings } from '../../../../app/settings/settings.ts';
import type { Look } from '../../../observing/look.ts';

/**
 * Returns the folder that pam_systemd makes for a user, in which its service manager and bus
 * listen; null where there is none or it can't be looked at. To be asked by the user's own process:
 * the user may have mounted there what waits for ever.
 */
const runtimeFolder = (uid: number): string | null => {
  const folder = `/run/user/${uid}`;
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === uid ? folder : null;
  } catch {
    // A mount may refuse with any error: then there is none for us.
    return null;
  }
};

/** Bits of a mode that let other users put files into a folder. */
const writableByOthers = 0o022;

/**
 * Returns whether a home folder is there and only its user can put files into it, as sshd asks
 * before it believes a file in it (StrictModes of sshd_config(5)). In any other one the settings
 * may be another user's.
 */
const hasOwnHome = (home: string, uid: number): boolean => {
  try {
    const found = statSync(home);
    return found.isDirectory() && found.uid === uid && (found.mode & writableByOthers) === 0;
  } catch {
    // Missing, or behind a folder that this user may not enter.
    return false;
  }
};

/**
 * Returns whether a look saw nothing to watch: no job, no agent, no session that may live, and no
 * rule or machine in the settings, which only a running supervisor can find something by.
 * @param hosts the machines that are watched
 */
const sawNothing = (
  { jobs, agents = [], sessions }: Pick<Look, 'jobs' | 'agents' | 'sessions'>,
  { rules, hosts }: Pick<Settings, 'rules' | 'hosts'>,
): boolean =>
  jobs.size === 0 &&
  agents.length === 0 &&
  rules.length === 0 &&
  hosts.length === 0 &&
  sessions.every(({ state, process }) => state === 'gone' || process === null);

/** Tells when nothing was there to watch for a while. */
class RestWatch {
  readonly #afterMs: number;
  #sinceMs: number | null = null;

  /** @param afterSeconds how long nothing must have been seen */
  constructor(afterSeconds: number) {
    this.#afterMs = afterSeconds * 1000;
  }

  /**
   * Takes what a look saw, and returns whether it is time to rest.
   * @param nowMs of a steady clock
   */
  look(nothing: boolean, nowMs: number): boolean {
    if (!nothing) {
      this.#sinceMs = null;
      return false;
    }
    this.#sinceMs ??= nowMs;
    return nowMs - this.#sinceMs >= this.#afterMs;
  }
}

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
