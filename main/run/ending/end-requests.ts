import type { Said } from '../../../app/format/said.ts';
import { say, saidOf, warned } from '../../../app/text/say.ts';
import { connect, createServer } from 'node:net';
import type { RunId } from '../../../app/process/identity.ts';
import type { FirstSignalName } from '../../../app/process/signal.ts';
import type { SparedMember } from '../members/sparer.ts';
import type { RunEnding } from '../record/record.ts';
import { hearsSignals } from '../../os/this-system.ts';

/** The signals that tell `curfew run` to end, and QUIT, which is asked of it in the same way. */
const endSignals = ['INT', 'TERM', 'HUP', 'QUIT'] as const satisfies readonly FirstSignalName[];

/**
 * Catches the signals that tell us to end, from its construction to the end of this process: before
 * a lock is taken, and until the record is written, none of them may end us in the middle.
 */
export class EndSignals {
  #first: FirstSignalName | null = null;
  #listener: ((signal: FirstSignalName) => void) | null = null;

  constructor() {
    for (const signal of endSignals) process.on(`SIG${signal}`, () => this.take(signal));
    // Ctrl-Break: https://nodejs.org/api/process.html#signal-events
    if (!hearsSignals) process.on('SIGBREAK', () => this.take('QUIT'));
  }

  /** Takes a request as if it were this signal. */
  take(signal: FirstSignalName): void {
    if (this.#listener === null) this.#first ??= signal;
    else this.#listener(signal);
  }

  /** The signal that came before there was a listener; null: none. */
  get early(): FirstSignalName | null {
    return this.#first;
  }

  /** From now on this hears them. */
  listen(listener: (signal: FirstSignalName) => void): void {
    this.#listener = listener;
  }
}

export interface EndingResult {
  readonly outcome: NonNullable<RunEnding['outcome']>;
  readonly survivors: readonly number[];
  readonly spared: readonly SparedMember[];
}

/** The request that a run ends, as TERM asks for it elsewhere. */
const request = 'TERM\n';

/** Longer texts are no request. */
const maxBytes = 64;

/** A run that lives answers within this time, milliseconds. */
const answerMs = 2_000;

/**
 * Returns the named pipe of a run. Windows gives the right to write to it to its user, to
 * administrators and to the system only.
 * https://learn.microsoft.com/windows/win32/ipc/named-pipe-security-and-access-rights
 */
const pipeOf = (id: RunId): string => String.raw`\\.\pipe\curfew-run-${id}`;

/**
 * Makes a run hear requests to end where no signal can ask for that: on Windows TERM ends a process
 * at once. Resolves when it can be asked; elsewhere at once. Never throws.
 */
export const listenForEnd = async (
  id: RunId,
  signals: Pick<EndSignals, 'take'>,
  warn: (said: Said) => void,
  path: string | null = hearsSignals ? null : pipeOf(id),
): Promise<void> => {
  if (path === null) return;
  const server = createServer((socket) => {
    let said = '';
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (text: string) => {
      said += text;
      if (said === request) {
        socket.end(request);
        signals.take('TERM');
      } else if (said.length > maxBytes) socket.destroy();
    });
    // A client that goes without a word holds nothing up.
    socket.unref();
  });
  // A run that nothing holds any more ends, whether it can be asked or not.
  server.unref();
  await new Promise<void>((resolve) => {
    server.on('error', (error) => {
      warn(
        warned(
          say("this run can't be asked to end ({why}): `curfew terminate` will not reach it", { why: saidOf(error) }),
        ),
      );
      resolve();
    });
    server.listen(path, resolve);
  });
};

/** Asks a run to end. `gone`: none of this id listens, any more or yet. */
export const askRunToEnd = async (id: RunId, path: string = pipeOf(id)): Promise<'sent' | 'gone'> =>
  new Promise((resolve) => {
    const socket = connect(path);
    const done = (result: 'sent' | 'gone'): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(answerMs, () => done('gone'));
    socket.on('error', () => done('gone'));
    socket.on('connect', () => socket.write(request));
    socket.on('data', () => done('sent'));
    socket.on('close', () => done('gone'));
  });
