import type { Look } from '../../observing/look.ts';
import { KnownJobs } from './known-jobs.ts';

/** The recently seen jobs of other machines, by machine. */
export class HostJobs {
  readonly #byHost = new Map<string, KnownJobs>();

  /** Adds a scan of a machine. */
  looked(host: string, look: Look): void {
    const known = this.#byHost.get(host) ?? new KnownJobs();
    known.looked(look);
    this.#byHost.set(host, known);
  }

  /** Returns what is known of a machine, or null if it was never seen. */
  of(host: string): KnownJobs | null {
    return this.#byHost.get(host) ?? null;
  }
}
