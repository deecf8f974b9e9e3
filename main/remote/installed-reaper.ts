import type { Incident } from '../../app/history/incident.ts';
import { asJobId, type JobId } from '../../app/jobs/model/job.ts';
import type { EndResult } from '../ending/end.ts';
import type { Hosts } from './hosts.ts';
import { type InstalledCurfew, InstalledRefusal } from './installed-curfew.ts';

/**
 * Ends jobs on a machine through the Curfew that is installed there, if there is one. One call at a
 * time.
 */
export class InstalledReaper {
  readonly #host: string;
  readonly #hosts: Hosts;
  readonly #ended: (incident: Incident) => void;
  #path: string | null = null;
  #curfew: InstalledCurfew | null = null;
  #reaping = false;

  /** @param ended is told what came of each job */
  constructor(host: string, hosts: Hosts, ended: (incident: Incident) => void) {
    this.#host = host;
    this.#hosts = hosts;
    this.#ended = ended;
  }

  /** Whether there is one. */
  get isThere(): boolean {
    return this.#curfew !== null;
  }

  get isReaping(): boolean {
    return this.#reaping;
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

  /**
   * `curfew reap` with these arguments. Throws HostFailure, InstalledRefusal, and what the journal
   * throws.
   */
  async reap(args: readonly string[]): Promise<readonly Incident[]> {
    if (this.#curfew === null) throw new TypeError(`there is no curfew on ${this.#host}`);
    this.#reaping = true;
    try {
      const incidents = await this.#curfew.reap(args, this.#hosts.record);
      for (const incident of incidents) this.#ended(incident);
      return incidents;
    } finally {
      this.#reaping = false;
    }
  }

  /**
   * Ends what it would end in a pass of its own, but none other than these jobs: what was not
   * announced stays. Throws as `reap`.
   */
  async reapOf(announced: ReadonlySet<JobId>): Promise<void> {
    if (this.#curfew === null) throw new TypeError(`there is no curfew on ${this.#host}`);
    this.#reaping = true;
    let jobs: readonly string[];
    try {
      const due = await this.#curfew.reap(['--dry-run'], this.#hosts.record);
      jobs = due.flatMap(({ job }) => (announced.has(asJobId(job)) ? [`--job=${job}`] : []));
    } finally {
      this.#reaping = false;
    }
    if (jobs.length > 0) await this.reap(jobs);
  }

  /**
   * Ends a job by the user's decision; resolves when it is over. Throws HostFailure and what the
   * journal throws.
   */
  async reapForPerson(id: JobId): Promise<EndResult> {
    try {
      const incident = (await this.reap([`--job=${id}`])).find(({ job }) => job === id);
      if (incident === undefined) return { kind: 'not-found' };
      const untouched = incident.outcome === 'spared' || incident.outcome === 'vanished';
      return untouched ? { kind: 'ended', incident } : { kind: 'begun', incident: incident.id };
    } catch (error) {
      if (error instanceof InstalledRefusal) return { kind: 'not-found' };
      throw error;
    }
  }
}
