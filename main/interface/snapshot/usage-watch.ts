import { cpuPercentIn, measureProcesses, type ProcessUse } from '../../../app/jobs/measure/process-use.ts';
import { addUsage, type UsageSeries } from '../../../app/jobs/measure/usage-series.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { Look } from '../../observing/look.ts';

/** Upper bound of series for each machine, about 1 kB each; further jobs have none. */
const maxSeries = 1000;

type Measured = Pick<Look, 'table' | 'jobs'>;

interface HostUsage {
  readonly processes: ProcessUse;
  readonly jobs: ReadonlyMap<string, UsageSeries>;
}

/** What jobs and processes used lately, by machine. Only the latest look's jobs are held. */
export class UsageWatch {
  readonly #byHost = new Map<string, HostUsage>();

  /** Adds a scan of a machine. */
  looked(host: string, { table, jobs }: Measured): void {
    const before = this.#byHost.get(host) ?? null;
    const series = new Map<string, UsageSeries>();
    for (const [id, { job }] of jobs) {
      if (series.size >= maxSeries) break;
      const { cpuPercent, rssBytes } = job.holds;
      series.set(id, addUsage(before?.jobs.get(id) ?? null, { atMs: table.takenAtMs, cpuPercent, rssBytes }));
    }
    const rows = [...jobs.values()].flatMap(({ job }) => job.members.map(({ row }) => row));
    this.#byHost.set(host, { processes: measureProcesses(before?.processes ?? null, table, rows), jobs: series });
  }

  /** Returns the share of one core of a process of a job; null: not known. */
  cpuPercent(host: string, row: ProcessRow): number | null {
    return cpuPercentIn(this.#byHost.get(host)?.processes ?? null, row);
  }

  /** Returns what a job used; null: it was not seen at the latest scan. */
  series(host: string, job: string): UsageSeries | null {
    return this.#byHost.get(host)?.jobs.get(job) ?? null;
  }
}
