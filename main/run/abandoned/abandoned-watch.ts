import type { RunId } from '../../../app/process/run-id.ts';
import { endAbandonedRuns, type AbandonedRun, type AbandonedTools } from './abandoned.ts';
import { unfinishedRuns } from '../record/unfinished.ts';

/** Who is told. Called between looks; must not throw. */
export interface AbandonedListener {
  readonly ended: (run: AbandonedRun) => void;
  /** Once for each run that can't be ended. */
  readonly failed: (id: RunId, error: unknown) => void;
}

/** Ends, beside the looks of a supervisor, what killed `curfew run`s have left. One pass at a time, since each may take the grace of a run. */
export class AbandonedWatch {
  readonly #runs: string;
  readonly #open: () => AbandonedTools;
  readonly #listener: AbandonedListener;
  readonly #told = new Set<RunId>();
  #pass: Promise<void> | null = null;

  /** `open` is called for each pass: the looks of the supervisor remember what they saw, and nobody else's may come in between. */
  constructor(runs: string, open: () => AbandonedTools, listener: AbandonedListener) {
    this.#runs = runs;
    this.#open = open;
    this.#listener = listener;
  }

  /** Begins a pass unless one is going on; costs one look into a small folder when no run is unfinished. Never throws. */
  look(): void {
    if (this.#pass !== null || unfinishedRuns(this.#runs).length === 0) return;
    this.#pass = this.#end().finally(() => (this.#pass = null));
  }

  /** Resolves when no pass is going on. */
  async settled(): Promise<void> {
    await this.#pass;
  }

  async #end(): Promise<void> {
    const ended = await endAbandonedRuns(this.#open(), (id, error) => {
      if (this.#told.has(id)) return;
      this.#told.add(id);
      this.#listener.failed(id, error);
    });
    for (const run of ended) this.#listener.ended(run);
  }
}
