import type { FirstSignalName } from '../../../app/process/signal.ts';

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
    if (process.platform === 'win32') process.on('SIGBREAK', () => this.take('QUIT'));
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
