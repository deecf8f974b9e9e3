import type { SSEStreamingApi } from 'hono/streaming';
import { diffSnapshot } from '../../app/contract/difference/difference.ts';
import type { CurfewService } from '../interface/service.ts';

/** A page hears from us at least so often, and knows that the line is dead when it doesn't. Milliseconds. */
const heartbeatMs = 10_000;
/** A page that takes nothing for so long is gone, whatever its connection says. Milliseconds. */
const patienceMs = 30_000;

/** Which snapshot a page has. */
export interface PageState {
  readonly revision: number;
  readonly at: string;
}

/** The streams that are open, and how all of them end. */
export class EventStreams {
  readonly #service: CurfewService;
  readonly #open = new Set<() => void>();
  #closed = false;

  constructor(service: CurfewService) {
    this.#service = service;
  }

  /** How many pages listen. */
  get size(): number {
    return this.#open.size;
  }

  /** Ends them all. */
  close(): void {
    this.#closed = true;
    for (const end of this.#open) end();
  }

  /**
   * Tells one page everything until either side ends: first the whole, unless the page has just that, then what changed since what this page
   * was last sent. A page that is slow gets several changes as one, so that nothing piles up for it and it misses nothing. `drop` cuts a connection that
   * takes nothing any more.
   */
  async tell(stream: SSEStreamingApi, have: PageState | null, drop: () => void): Promise<void> {
    const line = { ended: this.#closed };
    let wake: () => void = () => undefined;
    const end = (): void => {
      line.ended = true;
      wake();
    };
    this.#open.add(end);
    stream.onAbort(end);
    const unsubscribe = this.#service.subscribe((event) => {
      if (event.kind === 'difference') wake();
    });
    const send = async (event: string, payload: unknown): Promise<void> => {
      const impatient = setTimeout(drop, patienceMs);
      try {
        await stream.writeSSE({ event, data: JSON.stringify(payload) });
      } finally {
        clearTimeout(impatient);
      }
    };
    try {
      let sent = this.#service.snapshot();
      // The moment too: a restarted supervisor counts from the beginning again.
      const known = have?.revision === sent.revision && have.at === sent.at;
      await (known ? send('alive', {}) : send('snapshot', sent));
      while (!line.ended) {
        if (this.#service.snapshot() === sent) {
          const { promise, resolve } = Promise.withResolvers<void>();
          wake = resolve;
          const beat = setTimeout(resolve, heartbeatMs);
          await promise;
          clearTimeout(beat);
        }
        const current = this.#service.snapshot();
        if (line.ended) break;
        await (current === sent ? send('alive', {}) : send('difference', diffSnapshot(sent, current)));
        sent = current;
      }
    } finally {
      unsubscribe();
      this.#open.delete(end);
    }
  }
}
