import type { Connection } from '../../app/contract/bridge.ts';
import { listenToLine, type LineMessage, type LineStart } from './page-line.ts';

export interface PageConnectionOptions {
  /** Start of the next line; null: this browser isn't signed in. */
  readonly start: () => Promise<LineStart | null>;
  readonly heard: (message: LineMessage) => void;
}

/** Retry delays, milliseconds; varied by a quarter, so that many tabs don't retry at once. */
const pausesMs = [500, 1000, 2000, 4000, 8000] as const;
/** Ms after which a hidden tab disconnects: a browser has six connections for all its tabs. */
const unseenMs = 60_000;

/** Keeps a connection: reconnects with growing delays, or at once on a sign of life. */
export class PageConnection {
  #state: Connection = 'connecting';
  #failures = 0;
  #line = new AbortController();
  #tryNow: () => void = () => undefined;
  #unseenTimer: ReturnType<typeof setTimeout> | undefined;
  #resting = false;
  readonly #listeners = new Set<(connection: Connection) => void>();
  readonly #options: PageConnectionOptions;

  constructor(options: PageConnectionOptions) {
    this.#options = options;
    window.addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => this.#seen());
    void this.#keepTrying();
  }

  /** Reports the state now and on every change. */
  readonly subscribe = (listener: (connection: Connection) => void): (() => void) => {
    this.#listeners.add(listener);
    listener(this.#state);
    return () => this.#listeners.delete(listener);
  };

  /** Retries at once: something has changed. */
  retry(): void {
    this.#failures = 0;
    this.#tryNow();
  }

  /** A question was rejected: this browser is no longer signed in. */
  signedOut(): void {
    this.#set('signed-out');
    this.#line.abort();
  }

  async #keepTrying(): Promise<never> {
    for (;;) {
      if (!this.#resting) {
        const start = await this.#options.start();
        this.#line = new AbortController();
        const end = start === null ? 'signed-out' : await this.#listen(start);
        if (!this.#resting) this.#set(end);
      }
      await this.#pause();
    }
  }

  async #listen(start: LineStart): Promise<'lost' | 'signed-out'> {
    return listenToLine(start, this.#line.signal, (message) => {
      this.#failures = 0;
      // The snapshot comes before `connected`: a listener that then asks for the whole has it
      // already.
      this.#options.heard(message);
      this.#set('connected');
    });
  }

  async #pause(): Promise<void> {
    const pauseMs = pausesMs[Math.min(this.#failures, pausesMs.length - 1)] ?? 0;
    this.#failures += 1;
    await new Promise<void>((resolve) => {
      const timer = this.#resting ? undefined : setTimeout(resolve, pauseMs * (0.75 + Math.random() / 2));
      this.#tryNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#tryNow = () => undefined;
  }

  #seen(): void {
    clearTimeout(this.#unseenTimer);
    if (document.visibilityState === 'hidden') {
      this.#unseenTimer = setTimeout(() => {
        this.#resting = true;
        this.#line.abort();
      }, unseenMs);
    } else {
      this.#resting = false;
      this.retry();
    }
  }

  #set(state: Connection): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
