import type { MemberFacts } from '../../../../app/process/facts.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';

/**
 * Facts that others can change while the process itself does not run (its control group, its
 * tracer, a file that is removed) are read again within this number of scans: 90 seconds at 5
 * seconds between scans. Until then only what is shown can be old: whatever is announced or ended
 * is judged by fresh facts. With 6 scans a fifth of the processor time of an idle supervisor among
 * 50 jobs was this reading.
 */
const maxScans = 18;

interface Kept {
  readonly startTicks: number;
  /** See `RunMarks`, of a moment before the facts were read. */
  readonly mark: string;
  readonly scan: number;
  readonly fact: MemberFacts;
}

/** The facts about processes that have not run since they were read. */
export class KeptFacts {
  #kept: ReadonlyMap<number, Kept> = new Map();
  #next = new Map<number, Kept>();
  #scan = -1;

  /**
   * Returns the facts about a process of this scan; null where they must be read.
   * @param mark of the process now; null: not known
   */
  find({ pid, startTicks, state }: ProcessRow, mark: string | null, scan: number): MemberFacts | null {
    this.#turn(scan);
    const kept = this.#kept.get(pid);
    if (kept === undefined || mark === null || state === 'R') return null;
    if (kept.startTicks !== startTicks || kept.mark !== mark) return null;
    // Not all in the same scan.
    if (scan - kept.scan >= maxScans - (pid % 9)) return null;
    this.#next.set(pid, kept);
    return kept.fact;
  }

  /** Keeps facts that were read after the mark. */
  keep({ pid, startTicks }: ProcessRow, mark: string | null, scan: number, fact: MemberFacts): void {
    this.#turn(scan);
    if (mark !== null) this.#next.set(pid, { startTicks, mark, scan, fact });
  }

  /** With the first question of a scan, what the scan before did not ask for is forgotten. */
  #turn(scan: number): void {
    if (scan === this.#scan) return;
    this.#kept = this.#next;
    this.#next = new Map();
    this.#scan = scan;
  }
}
