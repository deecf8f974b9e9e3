import { diffSnapshot } from '../../../app/contract/difference/difference.ts';
import type { toldOnce } from '../../../app/contract/app-questions.ts';
import type { EventName, EventPayload } from '../../../app/contract/contract.ts';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { ScenePace } from './scene-pace.ts';

type Listener = (payload: never) => void;

/**
 * State of a scene, published to windows like the real main process does: once whole, then
 * differences.
 */
export class SceneEngine {
  #snapshot: Snapshot;
  readonly #listeners = new Map<EventName, Set<Listener>>();

  /** What was copied last. */
  copied = '';

  /** What was opened last: a path, or a port. */
  opened = '';

  /** What was told once. */
  readonly told: Partial<Record<(typeof toldOnce)[number], string>> = {};

  /** When started actions continue. */
  readonly pace: ScenePace;

  constructor(snapshot: Snapshot, pace = new ScenePace(false)) {
    this.#snapshot = snapshot;
    this.pace = pace;
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  on<Name extends EventName>(name: Name, listener: (payload: EventPayload<Name>) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set<Listener>();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  emit<Name extends EventName>(name: Name, payload: EventPayload<Name>): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(payload as never);
  }

  /** Changes the state and tells what changed. */
  change(parts: Partial<Omit<Snapshot, 'revision'>>): void {
    const old = this.#snapshot;
    this.#snapshot = { ...old, at: moment(Date.now()), ...parts, revision: old.revision + 1 };
    // As a carrier does: what arrives shares no object with what was sent.
    this.emit('difference', structuredClone(diffSnapshot(old, this.#snapshot)));
  }

  job(id: string): SnapshotJob | undefined {
    return this.#snapshot.jobs.find((job) => job.id === id);
  }

  changeJob(id: string, parts: Partial<SnapshotJob>): void {
    this.change({ jobs: this.#snapshot.jobs.map((job) => (job.id === id ? { ...job, ...parts } : job)) });
  }

  /** One look of the supervisor: nothing has happened but that. */
  look(): void {
    const nowMs = Date.now();
    this.change({ health: { ...this.#snapshot.health, lastLookAt: moment(nowMs) } });
  }
}
