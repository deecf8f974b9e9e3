import { spawnSync } from 'node:child_process';
import type { ProcessIdentity } from '../../../../app/process/identity.ts';
import { consoleHelperArgument } from './console-helper-argument.ts';

/**
 * Asks processes to end by the event of their console (Ctrl-C). It goes to every process in the
 * console, so it is sent only when all of them were asked.
 */
export interface ConsoleAsker {
  /**
   * Notes that this process is asked, and sends the event where it was the last of its console.
   * Returns whether the event was sent.
   */
  ask(identity: ProcessIdentity): boolean;
  /** It is not asked any more. */
  forget(identity: ProcessIdentity): void;
}

/** A process as the helper is told of it. */
export type AskedMember = Pick<ProcessIdentity, 'pid' | 'startTicks'>;

/**
 * Starts the helper, which must be another process: Curfew must not lose its own console. The first
 * member names the console. Returns true when the event was sent.
 */
export type StartHelper = (members: readonly AskedMember[]) => boolean;

/** The helper takes about 0.2 s, milliseconds. */
const helperTimeoutMs = 3_000;

/** More helpers than that are not started in a minute: what is left is ended after its grace. */
const maxHelpers = 60;
const perMs = 60_000;

/** The helper's arguments are bounded; a console with more members is not asked. */
const maxMembers = 200;

const startHelper: StartHelper = (members) => {
  const [, entry] = process.argv;
  // Electron is no Node, and its first argument no command line.
  if (entry === undefined || 'electron' in process.versions) return false;
  const words = members.map(({ pid, startTicks }) => `${pid}:${startTicks}`);
  const { status } = spawnSync(process.execPath, [...process.execArgv, entry, consoleHelperArgument, ...words], {
    stdio: 'ignore',
    windowsHide: true,
    timeout: helperTimeoutMs,
  });
  return status === 0;
};

/** Asks through a helper. `hasConsole`: false only where it is known that it has none. */
export class HelperAsker implements ConsoleAsker {
  readonly #asked = new Map<number, AskedMember>();
  readonly #hasConsole: (identity: ProcessIdentity) => boolean;
  readonly #start: StartHelper;
  readonly #now: () => number;
  #started: readonly number[] = [];

  constructor(
    hasConsole: (identity: ProcessIdentity) => boolean,
    start: StartHelper = startHelper,
    now: () => number = () => performance.now(),
  ) {
    this.#hasConsole = hasConsole;
    this.#start = start;
    this.#now = now;
  }

  ask(identity: ProcessIdentity): boolean {
    if (!this.#hasConsole(identity)) return false;
    this.#asked.set(identity.pid, identity);
    const now = this.#now();
    this.#started = this.#started.filter((at) => at > now - perMs);
    if (this.#started.length >= maxHelpers || this.#asked.size > maxMembers) return false;
    this.#started = [...this.#started, now];
    const others = [...this.#asked.values()].filter(({ pid }) => pid !== identity.pid);
    return this.#start([identity, ...others]);
  }

  forget(identity: ProcessIdentity): void {
    if (this.#asked.get(identity.pid)?.startTicks === identity.startTicks) this.#asked.delete(identity.pid);
  }
}
