import type { SSEStreamingApi } from 'hono/streaming';
import { diffSnapshot } from '../../app/contract/difference/difference.ts';
import type { CurfewService } from '../interface/curfew-service.ts';

/** Interval in ms of heartbeats, by which a page notices a dead connection. */
const heartbeatMs = 10_000;
/** A page that reads nothing for this time in ms is gone, whatever its connection says. */
const patienceMs = 30_000;

export interface PageState {
  readonly revision: number;
  readonly at: string;
}

/** The open streams of events. */
export class EventStreams {
  readonly #service: CurfewService;
  readonly #open = new Set<() => void>();
  #closed = false;

  constructor(service: CurfewService) {
    this.#service = service;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Ends all streams. */
  close(): void {
    this.#closed = true;
    for (const end of this.#open) end();
  }

  /**
   * Sends one page all news until either side ends: first the whole snapshot, unless the page has
   * it, then what changed since the last message. A slow page gets several changes as one, so that
   * nothing queues up and nothing is lost. `isIn` ends it when the browser was signed out; `drop`
   * cuts a connection that reads no more.
   */
  async tell(
    stream: SSEStreamingApi,
    have: PageState | null,
    { isIn, drop }: { readonly isIn: () => boolean; readonly drop: () => void },
  ): Promise<void> {
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
      // The moment too: a restarted supervisor counts from the start again.
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
        if (line.ended || !isIn()) break;
        await (current === sent ? send('alive', {}) : send('difference', diffSnapshot(sent, current)));
        sent = current;
      }
    } finally {
      unsubscribe();
      this.#open.delete(end);
    }
  }
}
