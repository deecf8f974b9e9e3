import type { ServiceEvent } from './curfew-service.ts';
import type { SnapshotKeeper } from './snapshot/snapshot-keeper.ts';

type Listener = (event: ServiceEvent) => void;

/** Those that a service tells its events, in order and synchronously. */
export class Listeners {
  readonly #all = new Set<Listener>();
  readonly #report: (error: unknown, doing: string) => void;

  constructor(report: (error: unknown, doing: string) => void) {
    this.#report = report;
  }

  /** Tells an event, which is worked out only when there is a listener. */
  tell(event: () => ServiceEvent): void {
    if (this.#all.size === 0) return;
    const told = event();
    for (const listener of this.#all) listener(told);
  }

  /**
   * Adds a listener; the returned function takes it off. No difference is made for one that wants
   * only moments.
   */
  add(listener: Listener, wants: 'everything' | 'moments', keeper: SnapshotKeeper): () => void {
    const told: Listener = (event) => {
      try {
        listener(event);
      } catch (error) {
        // A failing window must not keep the supervisor from its work.
        this.#report(error, `telling of ${event.kind}`);
      }
    };
    this.#all.add(told);
    const end =
      wants === 'moments'
        ? () => undefined
        : keeper.subscribe((difference) => told({ kind: 'difference', difference }));
    return () => {
      end();
      this.#all.delete(told);
    };
  }
}
