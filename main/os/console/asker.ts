import { spawnSync } from 'node:child_process';
import type { ProcessIdentity } from '../../../app/process/identity.ts';
import { consoleHelperArgument } from './helper-argument.ts';
import { noWindow } from '../programs/child-window.ts';
import { passedOn } from '../programs/passed-on.ts';

/**
 * Asks processes to end by the event of their console (Ctrl-C). It goes to every process in the
 * console, so it is sent only when all of them were asked.
 */
export interface ConsoleAsker {
  /** Notes that this process is asked; sends the event once it is the last of its console. */
  ask(identity: ProcessIdentity): Asked;
  /** It is not asked any more. */
  forget(identity: ProcessIdentity): void;
}

/**
 * What became of a question: `on-its-way` where a helper has it, which sends only if all in that
 * console are asked, and of which nothing is known yet.
 */
export type Asked = 'sent' | 'on-its-way' | 'not-sent';

export type AskedMember = Pick<ProcessIdentity, 'pid' | 'startTicks'>;

/** Starts the helper process: our own console must stay. The first member names the console. */
export type StartHelper = (members: readonly AskedMember[]) => Asked;

/** The helper takes about 0.2 s, on a busy machine some seconds. Milliseconds. */
export const helperTimeoutMs = 10_000;

/** More helpers than that are not started in a minute: what is left is ended after its grace. */
const maxHelpers = 60;
const perMs = 60_000;

/** The helper's arguments are bounded; a console with more members is not asked. */
const maxMembers = 200;

/** Returns the helper's arguments. */
export const helperWords = (members: readonly AskedMember[]): readonly string[] =>
  members.map(({ pid, startTicks }) => `${pid}:${startTicks}`);

/** Starts the helper from this very program, and waits for its end. */
export const startFromProgram: StartHelper = (members) => {
  const [, entry] = process.argv;
  // Electron is no Node, and its first argument no command line.
  if (entry === undefined || 'electron' in process.versions) return 'not-sent';
  const words = helperWords(members);
  const { status } = spawnSync(process.execPath, [...process.execArgv, entry, consoleHelperArgument, ...words], {
    stdio: 'ignore',
    env: passedOn(['APPDATA', 'LOCALAPPDATA']),
    ...noWindow,
    timeout: helperTimeoutMs,
  });
  return status === 0 ? 'sent' : 'not-sent';
};

let start: StartHelper = startFromProgram;

/** The desktop app has another way to start the helper, from now on. */
export const useHelper = (other: StartHelper): void => {
  start = other;
};

export interface ConsoleKnowledge {
  /** False only where it is known that it has none. */
  hasConsole(identity: AskedMember): boolean;
  /**
   * Returns the processes that are in the same console by all that is known: those above and below
   * it that have one. Some may be missing or too many; the helper knows.
   */
  consoleMates(identity: AskedMember): readonly AskedMember[];
}

/** Asks through a helper. It is started only where all are asked that are known to be there. */
export class HelperAsker implements ConsoleAsker {
  readonly #asked = new Map<number, AskedMember>();
  readonly #knowledge: ConsoleKnowledge;
  readonly #start: StartHelper;
  readonly #now: () => number;
  #started: readonly number[] = [];

  constructor(
    knowledge: ConsoleKnowledge,
    startHelper: StartHelper = (members) => start(members),
    now: () => number = () => performance.now(),
  ) {
    this.#knowledge = knowledge;
    this.#start = startHelper;
    this.#now = now;
  }

  ask(identity: ProcessIdentity): Asked {
    if (!this.#knowledge.hasConsole(identity)) return 'not-sent';
    this.#asked.set(identity.pid, identity);
    const isAsked = ({ pid, startTicks }: AskedMember): boolean => this.#asked.get(pid)?.startTicks === startTicks;
    if (!this.#knowledge.consoleMates(identity).every(isAsked)) return 'not-sent';
    const now = this.#now();
    this.#started = this.#started.filter((at) => at > now - perMs);
    if (this.#started.length >= maxHelpers || this.#asked.size > maxMembers) return 'not-sent';
    this.#started = [...this.#started, now];
    const others = [...this.#asked.values()].filter(({ pid }) => pid !== identity.pid);
    return this.#start([identity, ...others]);
  }

  forget(identity: ProcessIdentity): void {
    if (this.#asked.get(identity.pid)?.startTicks === identity.startTicks) this.#asked.delete(identity.pid);
  }
}
