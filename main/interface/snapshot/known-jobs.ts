import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import { asJobId, type JobId } from '../../../app/model/job.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';

/** How long in ms an ended job can be asked about: cards stay open, notices are clicked late. */
const rememberedMs = 600_000;
/** Upper bound of ended jobs that are remembered. */
const maxRemembered = 200;

/** A job with the last scan that saw it. */
export interface KnownJob {
  readonly judged: JudgedJob;
  readonly table: ProcessTable;
  /** It is among the jobs of the latest scan. */
  readonly present: boolean;
}

/** The jobs of the latest scan, and those that ended recently. */
export class KnownJobs {
  #look: Look | null = null;
  readonly #gone = new Map<
    JobId,
    { readonly judged: JudgedJob; readonly table: ProcessTable; readonly atMs: number }
  >();

  /** Returns the latest scan; null before the first. */
  get look(): Look | null {
    return this.#look;
  }

  /** Adds a scan. */
  looked(look: Look): void {
    const before = this.#look;
    this.#look = look;
    for (const [id, judged] of before?.jobs ?? []) {
      if (look.jobs.has(id) || before === null) continue;
      // Without its rows: only the clocks of the scan are needed to show the job.
      this.#gone.set(id, { judged, table: { ...before.table, rows: new Map() }, atMs: look.table.takenAtMs });
    }
    for (const [id, { atMs }] of this.#gone) {
      const old = look.table.takenAtMs - atMs > rememberedMs || this.#gone.size > maxRemembered;
      if (old || look.jobs.has(id)) this.#gone.delete(id);
    }
  }

  /** Returns a job by its id, or null if it was not seen recently. */
  find(id: string): KnownJob | null {
    if (!jobIdPattern.test(id)) return null;
    const judged = this.#look?.jobs.get(asJobId(id)) ?? this.#look?.agentJobs?.get(asJobId(id));
    if (judged !== undefined && this.#look !== null) return { judged, table: this.#look.table, present: true };
    const gone = this.#gone.get(asJobId(id));
    return gone === undefined ? null : { judged: gone.judged, table: gone.table, present: false };
  }
}
