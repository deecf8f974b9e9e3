import type { Failure } from '../../app/contract/answer.ts';
import type { Bridge, Connection } from '../../app/contract/bridge.ts';
import { applyDifference } from '../../app/contract/difference/difference.ts';
import type { Snapshot } from '../../app/contract/views/snapshot.ts';

/** What a window knows: nothing yet, or the latest snapshot, and whether the line stands. */
export interface Known {
  readonly snapshot: Snapshot | null;
  readonly connection: Connection;
  /** Why the first snapshot could not be had. */
  readonly failure: Failure | null;
  /** Local wall clock minus that of the engine, milliseconds: ages are shown by the engine's clock. */
  readonly clockSkewMs: number;
}

/**
 * Keeps one window in step with the main process: the whole snapshot once, then differences; after a gap the whole again. Listens
 * for as long as the window lives.
 */
export class SnapshotStore {
  #known: Known = { snapshot: null, connection: 'connecting', failure: null, clockSkewMs: 0 };
  #fetching = false;
  readonly #listeners = new Set<() => void>();
  readonly #bridge: Bridge;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
    bridge.on('snapshot', (snapshot) => {
      this.#take(snapshot);
    });
    bridge.on('difference', (difference) => {
      const { snapshot } = this.#known;
      const next = snapshot === null ? null : applyDifference(snapshot, difference);
      if (next !== null) this.#take(next);
      // One that is already contained in what we have is late, not missed.
      else if (snapshot === null || difference.to > snapshot.revision) void this.refresh();
    });
    bridge.onConnection((connection) => {
      this.#set({ ...this.#known, connection });
    });
    void this.refresh();
  }

  /** Asks for the whole. */
  readonly refresh = async (): Promise<void> => {
    if (this.#fetching) return;
    this.#fetching = true;
    const answer = await this.#bridge.ask('snapshot.get', {});
    this.#fetching = false;
    if (answer.ok) this.#take(answer.value);
    else this.#set({ ...this.#known, failure: answer.failure });
  };

  /** For React. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The latest; the same object until something changed. */
  readonly get = (): Known => this.#known;

  #take(snapshot: Snapshot): void {
    const held = this.#known.snapshot;
    // An answer to an older question may arrive after newer differences. A restarted engine counts from the beginning again.
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
