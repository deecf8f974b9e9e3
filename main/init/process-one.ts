import { setTimeout as sleep } from 'node:timers/promises';
import type { Said } from '../../app/format/said.ts';
import type { FirstSignalName } from '../../app/process/signal.ts';
import { openControllingTerminal } from '../os/containment/terminal.ts';
import { openWholeNamespace, type WholeNamespace } from '../os/containment/whole-namespace.ts';
import { openLauncher } from '../os/open-launcher.ts';
import type { CommandEnd } from '../os/programs/command-launcher.ts';

/**
 * Signals that are passed on: all that are sent to containers and that Node can catch. Node knows
 * no real-time signals; process 1 ignores what it has no handler for.
 */
const passedOn = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGCONT',
  'SIGTSTP',
  'SIGWINCH',
  'SIGPWR',
] as const satisfies readonly NodeJS.Signals[];

/** Signals that ask for the end, once the command has ended. */
const endsTheGrace: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT', 'SIGTERM']);

export interface InitOrder {
  readonly command: readonly [string, ...string[]];
  readonly signal: FirstSignalName;
  readonly graceSeconds: number;
}

export type InitResult =
  | { readonly kind: 'refused'; readonly reason: Said }
  | { readonly kind: 'not-started'; readonly errno: string }
  /** `left`: processes that did not end within the grace; the kernel kills them with process 1. */
  | { readonly kind: 'ended'; readonly end: CommandEnd; readonly asked: number; readonly left: number };

/** Any long time does; a child whose signal was lost would be waited for then, milliseconds. */
const aliveMs = 60_000;

/** Between two looks at what is still ending, milliseconds. */
const lookMs = 20;

/** The command of a container: what is sent to process 1 is its own while it lives. */
class Command {
  readonly #namespace: WholeNamespace;
  readonly #early: NodeJS.Signals[] = [];
  #pid: number | null = null;
  #resolve: (end: CommandEnd) => void = () => undefined;
  #hasEnded = false;
  readonly end: Promise<CommandEnd>;
  /** The end was asked for again after the command had ended: the grace is over. */
  isHurried = false;

  constructor(namespace: WholeNamespace) {
    this.#namespace = namespace;
    this.end = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  started(pid: number): void {
    this.#pid = pid;
    for (const name of this.#early) this.take(name);
  }

  ended(end: CommandEnd): void {
    this.#hasEnded = true;
    this.#resolve(end);
  }

  take(name: NodeJS.Signals): void {
    if (this.#hasEnded) this.isHurried ||= endsTheGrace.has(name);
    else if (this.#pid === null) this.#early.push(name);
    // Its pid is its own until it is waited for, which makes `ended` known in the same turn.
    else this.#namespace.pass(this.#pid, name);
  }
}

/**
 * Starts a command as process 1 of a container, and returns when it and everything else has ended,
 * or the grace is over. The caller exits then, by which the kernel kills what is left:
 * https://man7.org/linux/man-pages/man7/pid_namespaces.7.html
 */
export const beProcessOne = async (order: InitOrder): Promise<InitResult> => {
  const namespace = openWholeNamespace();
  if ('reason' in namespace) return { kind: 'refused', reason: namespace.reason };
  // It reaps every child, adopted ones too, whenever one has ended.
  const launcher = openLauncher();
  const terminal = openControllingTerminal();
  const command = new Command(namespace);
  for (const name of passedOn) process.on(name, () => command.take(name));
  const placement = terminal === null ? 'session' : terminal.ownIsForeground() ? 'terminal' : 'group';
  const start = launcher.start(
    { placement, terminal: terminal?.fd ?? null, environment: {}, stdio: [0, 1, 2], command: order.command },
    {
      onEnd: (end) => command.ended(end),
      // No shell is above that could continue what a key of the terminal has stopped.
      onStop: () => {
        if (terminal !== null) command.take('SIGCONT');
      },
    },
  );
  if (!start.ok) return { kind: 'not-started', errno: start.errno };
  command.started(start.pid);
  if (placement === 'terminal') terminal?.give(start.pid);
  // It may have ended before its end was listened for.
  launcher.waitForChildren();
  // Listening for signals does not keep Node alive.
  const alive = setInterval(() => launcher.waitForChildren(), aliveMs);
  const end = await command.end;
  clearInterval(alive);
  launcher.waitForChildren();
  const asked = namespace.others();
  if (asked > 0) namespace.askAll(order.signal);
  const untilMs = performance.now() + order.graceSeconds * 1000;
  let left = asked;
  while (left > 0 && performance.now() < untilMs && !command.isHurried) {
    await sleep(lookMs);
    launcher.waitForChildren();
    left = namespace.others();
  }
  return { kind: 'ended', end, asked, left };
};
