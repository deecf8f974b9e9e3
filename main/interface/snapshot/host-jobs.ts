import type { Look } from '../../observing/look.ts';
import { KnownJobs } from './known-jobs.ts';

/** The jobs of other machines that were seen lately, by machine. */
export class HostJobs {
  readonly #byHost = new Map<string, KnownJobs>();

  /** Takes a look at a machine in. */
  looked(host: string, look: Look): void {
    const known = this.#byHost.get(host) ?? new KnownJobs();
    known.looked(look);
    this.#byHost.set(host, known);
  }

  /** What is known of a machine; null when it was never seen. */
  of(host: string): KnownJobs | null {
    return this.#byHost.get(host) ?? null;
  }
}
