import { type Pid, asPid } from '../../../../app/process/identity.ts';
import type { BegunBy } from '../../../../app/process/named-inside.ts';
import { type ProcessRow, hasEnded } from '../../../../app/process/row.ts';
import { pathOfNamespace, pidNamespaceOf } from './boot.ts';
import { type ProcReader, statusField } from './proc-reader.ts';

/**
 * Returns the pids of a process in the namespaces below ours, from `NSpid` of its status, outer
 * ones first; empty if there are none. https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
 */
export const innerPidsIn = (status: string): readonly Pid[] => {
  const pids = statusField(status, 'NSpid')?.split('\t') ?? [];
  return pids.slice(1).map((pid) => asPid(Number(pid)));
};

/** Whether a process counts time as we do: it is in our time namespace, time_namespaces(7). */
const hasOurClock = ({ pid }: ProcessRow): boolean => pathOfNamespace(pid, 'time') === pathOfNamespace('self', 'time');

interface Inner {
  readonly startTicks: number;
  readonly pids: readonly Pid[];
}

/**
 * Finds processes by the pids that they have in pid namespaces of their own (sandboxes,
 * containers). Reads each process once, and goes through them once a scan: with 500 jobs that each
 * name a pid, going through all of them for each took a quarter of a look.
 */
export class InnerPids {
  readonly #reader: ProcReader;
  readonly #own: string | null;
  #known: ReadonlyMap<Pid, Inner> = new Map();
  #byInner: ReadonlyMap<Pid, readonly ProcessRow[]> = new Map();
  #scan: number | null = null;

  /** `own`: the inode of our own pid namespace. */
  constructor(reader: ProcReader, own: string | null) {
    this.#reader = reader;
    this.#own = own;
  }

  /**
   * A living process of these rows that has this pid further inside; null for none. What began
   * later than that counts only where its own clock may be another.
   * @param scan which scan the rows are of; they are the same for as long as it is
   * @throws ProcessTableUnreadable
   */
  find(pid: Pid, rows: ReadonlyMap<Pid, ProcessRow>, scan: number, begun?: BegunBy): Pid | null {
    if (this.#scan !== scan) this.#update(rows);
    this.#scan = scan;
    const isLater = (row: ProcessRow): boolean =>
      begun !== undefined && row.startTicks > begun.ticks && (begun.byItself !== true || hasOurClock(row));
    return this.#byInner.get(pid)?.find((row) => !isLater(row))?.pid ?? null;
  }

  isFirst(pid: Pid): boolean {
    if (this.#own !== null && pidNamespaceOf(pid) === this.#own) return false;
    return innerPidsIn(this.#reader.readText(`/proc/${pid}/status`) ?? '').at(-1) === 1;
  }

  #update(rows: ReadonlyMap<Pid, ProcessRow>): void {
    const known = new Map<Pid, Inner>();
    const byInner = new Map<Pid, ProcessRow[]>();
    for (const row of rows.values()) {
      if (row.kernelThread || hasEnded(row)) continue;
      const before = this.#known.get(row.pid);
      const inner = before?.startTicks === row.startTicks ? before : this.#read(row);
      known.set(row.pid, inner);
      for (const pid of inner.pids) byInner.set(pid, [...(byInner.get(pid) ?? []), row]);
    }
    this.#known = known;
    this.#byInner = byInner;
  }

  /** Reading the namespace costs one call, a fifth of reading status. */
  #read({ pid, startTicks }: ProcessRow): Inner {
    if (this.#own !== null && pidNamespaceOf(pid) === this.#own) return { startTicks, pids: [] };
    return { startTicks, pids: innerPidsIn(this.#reader.readText(`/proc/${pid}/status`) ?? '') };
  }
}
