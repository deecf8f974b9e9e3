/** Identifies a job of a machine; see `jobKey`. */
const keyOf = (host: string, job: string): string => `${host}:${job}`;

/**
 * Which announcements of ends the user has seen, where giving one is no proof of that: macOS shows
 * no notification of an app that is not signed as it wants, and need not say so. What was not seen
 * begins no countdown, so that nothing is ended for it. In memory alone: a Curfew that is started
 * anew announces again.
 */
export class SeenNotices {
  /** Announcements that do not count yet, by job; true for those that were seen. */
  readonly #given = new Map<string, boolean>();

  /** Returns the part for one machine, by its name. */
  of(host: string): SeenOnHost {
    return {
      give: (job) => void this.#given.set(keyOf(host, job), false),
      isAwaited: (job) => this.#given.has(keyOf(host, job)),
      take: (job) => this.#given.get(keyOf(host, job)) === true && this.#given.delete(keyOf(host, job)),
      keepOnly: (jobs) => {
        const keys = new Set(jobs.map((job) => keyOf(host, job)));
        for (const key of this.#given.keys())
          if (key.startsWith(keyOf(host, '')) && !keys.has(key)) this.#given.delete(key);
      },
    };
  }

  /** True for a job whose announcement was given and does not count yet. */
  awaits(key: string): boolean {
    return this.#given.has(key);
  }

  /** The system says that the announcements of these jobs are on the screen, or the user acted. */
  see(keys: readonly string[]): void {
    for (const key of keys) if (this.#given.has(key)) this.#given.set(key, true);
  }

  /** The user looks at all jobs. */
  seeAll(): void {
    this.see([...this.#given.keys()]);
  }
}

/** The announcements of one machine. */
export interface SeenOnHost {
  /** An announcement is given. */
  readonly give: (job: string) => void;
  /** True where one was given and does not count yet. */
  readonly isAwaited: (job: string) => boolean;
  /** Returns true where it was seen: it counts from now on, and is not awaited any more. */
  readonly take: (job: string) => boolean;
  /** Forgets all but these. */
  readonly keepOnly: (jobs: readonly string[]) => void;
}
