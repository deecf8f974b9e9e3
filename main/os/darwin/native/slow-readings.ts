/** A reading that took longer than this waited for something, ms; one takes microseconds. */
const slowMs = 250;
/** What was slow is not read again for this long, ms. */
const spareMs = 10 * 60_000;

/**
 * The processes whose open files take long to read. The kernel asks the file system about each of
 * them, and one that is out of reach (a network volume) answers late, while the interface waits.
 */
export class SlowReadings {
  readonly #now: () => number;
  readonly #until = new Map<number, number>();

  /** @param now a clock that is never set, ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Reads something of a process; returns null, and reads nothing, where that was slow a while ago.
   * @param id the process's unique id
   */
  unlessSlow<Fact>(id: number, read: () => Fact): Fact | null {
    const beganMs = this.#now();
    if ((this.#until.get(id) ?? -Infinity) > beganMs) return null;
    this.#until.delete(id);
    const fact = read();
    const endedMs = this.#now();
    if (endedMs - beganMs > slowMs) this.#until.set(id, endedMs + spareMs);
    return fact;
  }

  keepOnly(ids: ReadonlySet<number>): void {
    for (const id of this.#until.keys()) if (!ids.has(id)) this.#until.delete(id);
  }
}
