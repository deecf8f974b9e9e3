import type { Failure } from '../../app/contract/answer.ts';
import type { Bridge, Connection } from '../../app/contract/bridge.ts';
import { applyDifference } from '../../app/contract/difference/difference.ts';
import type { Snapshot } from '../../app/contract/views/snapshot.ts';

/** State of a window: no snapshot yet, or the latest one, and the connection. */
export interface Known {
  readonly snapshot: Snapshot | null;
  readonly connection: Connection;
  /** Why the first snapshot failed. */
  readonly failure: Failure | null;
  /** Local wall clock minus the engine's, milliseconds: ages use the engine's clock. */
  readonly clockSkewMs: number;
}

/**
 * Keeps one window in sync with the main process: the whole snapshot once, then differences; after
 * a gap the whole again. Listens for the lifetime of the window.
 */
export class SnapshotStore {
  #known: Known = { snapshot: null, connection: 'connecting', failure: null, clockSkewMs: 0 };
  #fetching = false;
  readonly #listeners = new Set<() => void>();
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    bridge.on('snapshot', (snapshot) => this.#take(snapshot));
    bridge.on('difference', (difference) => {
      const { snapshot } = this.#known;
      const next = snapshot === null ? null : applyDifference(snapshot, difference);
      if (next !== null) this.#take(next);
      // A difference that is already contained in the snapshot is late, not missed.
      else if (snapshot === null || difference.to > snapshot.revision) void this.refresh();
    });
    bridge.onConnection((connection) => this.#set({ ...this.#known, connection }));
    void this.refresh();
  }

  /** Requests the whole. */
  readonly refresh = async (): Promise<void> => {
    if (this.#fetching) return;
    this.#fetching = true;
    const answer = await this.#bridge.ask('snapshot.get', {});
    this.#fetching = false;
    if (answer.ok) this.#take(answer.value);
    else this.#set({ ...this.#known, failure: answer.failure });
  };

  /** For React's `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns the latest state; the same object until something changes. */
  readonly get = (): Known => this.#known;

  #take(snapshot: Snapshot): void {
    const held = this.#known.snapshot;
    // An answer to an older question may arrive after newer differences. A restarted engine counts
    // from the beginning again.
    const older = held !== null && snapshot.revision < held.revision && snapshot.at <= held.at;
    if (older) return;
    const clockSkewMs = Date.now() - Date.parse(snapshot.at);
    this.#set({ ...this.#known, snapshot, failure: null, clockSkewMs });
  }

  #set(known: Known): void {
    this.#known = known;
    for (const listener of this.#listeners) listener();
  }
}
