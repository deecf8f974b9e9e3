import type { RunId } from '../../../app/process/identity.ts';
import { endAbandonedRuns, type AbandonedRun, type AbandonedTools } from './abandoned.ts';
import { unfinishedRuns } from '../record/unfinished.ts';

/** Gets the results of a pass. Called between scans; must not throw. */
export interface AbandonedListener {
  readonly ended: (run: AbandonedRun) => void;
  /** Called once for each run that can't be ended. */
  readonly failed: (id: RunId, error: unknown) => void;
}

/** Ends abandoned runs beside scans, one pass at a time: each may take a run's whole grace. */
export class AbandonedWatch {
  readonly #runs: string;
  readonly #open: () => AbandonedTools;
  readonly #listener: AbandonedListener;
  readonly #told = new Set<RunId>();
  #pass: Promise<void> | null = null;

  /** `open` is called for each pass: a source remembers its scans, so none is shared. */
  constructor(runs: string, open: () => AbandonedTools, listener: AbandonedListener) {
    this.#runs = runs;
    this.#open = open;
    this.#listener = listener;
  }

  /** Begins a pass unless one runs. Reads a small folder if no run is unfinished. Never throws. */
  look(): void {
    if (this.#pass !== null || unfinishedRuns(this.#runs).length === 0) return;
    this.#pass = this.#end().finally(() => (this.#pass = null));
  }

  /** Resolves when no pass is running. */
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
