import type { Incident } from '../../app/history/incident.ts';
import { asJobId, type JobId } from '../../app/model/job.ts';
import type { EndResult } from '../ending/end.ts';
import type { SupervisorEvents } from '../supervisor/supervisor-tools.ts';
import type { OtherEnder } from '../supervisor/watch.ts';
import type { Hosts } from './hosts.ts';
import { type InstalledCurfew, InstalledRefusal } from './installed-curfew.ts';

/** Ends jobs through the Curfew installed on a machine, if any. One call at a time. */
export class InstalledReaper implements OtherEnder {
  readonly #host: string;
  readonly #hosts: Hosts;
  readonly #events: Pick<SupervisorEvents, 'ended' | 'problem'>;
  #path: string | null = null;
  #curfew: InstalledCurfew | null = null;
  #calls: Promise<unknown> | null = null;

  /** @param events is told what came of each job */
  constructor(host: string, hosts: Hosts, events: Pick<SupervisorEvents, 'ended' | 'problem'>) {
    this.#host = host;
    this.#hosts = hosts;
    this.#events = events;
  }

  get isThere(): boolean {
    return this.#curfew !== null;
  }

  get isReaping(): boolean {
    return this.#calls !== null;
  }

  /** Resolves when nothing is being ended any more. */
  async idle(): Promise<void> {
    await this.#calls?.catch(() => undefined);
  }

  /** Looks for it, when the latest look found another path than before. Throws HostFailure. */
  async find(): Promise<void> {
    const path = this.#hosts.open(this.#host).installed;
    if (path === this.#path) return;
    this.#curfew = path === null ? null : await this.#hosts.installed(this.#host);
    this.#path = path;
  }

  /**
   * Tells it that a job's limit is put off, or counts again (null); nothing to do where there is
   * none. Throws HostFailure, InstalledRefusal.
   */
  async keep(id: JobId, seconds: number | null): Promise<void> {
    await this.#curfew?.keep(id, seconds);
  }

  /** Ends what its own pass would, of these jobs alone: what was not announced stays. */
  reapOf(announced: ReadonlySet<JobId>): void {
    const pass = this.#called(async (curfew) => {
      const due = await curfew.reap(['--dry-run'], this.#hosts.record);
      const jobs = due.flatMap(({ job }) => (announced.has(asJobId(job)) ? [`--job=${job}`] : []));
      if (jobs.length > 0) await this.#reap(curfew, jobs);
    });
    void pass.catch((error: unknown) => this.#events.problem(error));
  }

  /** Ends a job for the user; resolves when over. Throws HostFailure and the journal's errors. */
  async reapForPerson(id: JobId): Promise<EndResult> {
    try {
      const incidents = await this.#called((curfew) => this.#reap(curfew, [`--job=${id}`]));
      const incident = incidents.find(({ job }) => job === id);
      if (incident === undefined) return { kind: 'not-found' };
      const untouched = incident.outcome === 'spared' || incident.outcome === 'vanished';
      return untouched ? { kind: 'ended', incident } : { kind: 'begun', incident: incident.id };
    } catch (error) {
      if (error instanceof InstalledRefusal) return { kind: 'not-found' };
      throw error;
    }
  }

  async #reap(curfew: InstalledCurfew, args: readonly string[]): Promise<readonly Incident[]> {
    const incidents = await curfew.reap(args, this.#hosts.record);
    for (const incident of incidents) this.#events.ended(incident);
    return incidents;
  }

  #called<Result>(work: (curfew: InstalledCurfew) => Promise<Result>): Promise<Result> {
    const curfew = this.#curfew;
    if (curfew === null) throw new TypeError(`there is no curfew on ${this.#host}`);
    const calls = work(curfew).finally(() => (this.#calls = null));
    this.#calls = calls;
    return calls;
  }
}
