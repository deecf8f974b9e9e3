import { say } from '../../../app/text/say.ts';
import type { ProcessDescriptor } from 'ps-list';
import type { MemberFacts } from '../../../app/process/facts.ts';
import { type BootId, type Pid, asBootId, asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { splitArguments } from '../darwin/ps/ps-arguments.ts';
import { rowOr } from '../processes/same-row.ts';
import { type ProcessSource, ProcessTableUnreadable } from '../processes/source.ts';

const ticksPerSecond = 1_000;

/** Boots can't be told apart here, so nothing from an earlier run of Curfew applies. */
const bootOfThisRun = (): BootId => asBootId(`run-${process.pid}-${Date.now()}`);

/**
 * The process table of ps-list, where the system's own reader can't be had or failed its
 * self-check. For reporting only: there are no groups and sessions, and on Windows neither command
 * lines nor start times, so a process is identified by when it was first seen, nothing can be
 * confirmed, and nothing is ever signalled. On Linux it is tested against /proc.
 */
export class PortableSource implements ProcessSource {
  readonly name = 'ps-list';
  readonly canReap = false;
  readonly bootId: BootId = bootOfThisRun();
  readonly pidNamespace = null;
  readonly cgroups = null;
  readonly #uid: number;
  #rows: ReadonlyMap<Pid, ProcessRow> | null = null;
  #takenAtMs = 0;

  constructor(uid: number) {
    this.#uid = uid;
  }

  /**
   * Reads the table, which ps-list does asynchronously; `scan` then returns it.
   * @throws ProcessTableUnreadable
   */
  async refresh(): Promise<void> {
    const takenAtMs = Date.now();
    let list: readonly ProcessDescriptor[];
    try {
      // Loaded on demand: elsewhere it would only cost memory and time.
      const { default: psList } = await import('ps-list');
      list = await psList();
    } catch (error) {
      this.#rows = null;
      throw new ProcessTableUnreadable(say('The system did not list its processes.'), { cause: error });
    }
    const rows = new Map<Pid, ProcessRow>();
    for (const one of list) {
      const row = this.#row(one, takenAtMs);
      rows.set(row.pid, row);
    }
    this.#rows = rows;
    this.#takenAtMs = takenAtMs;
  }

  scan(_watched: ReadonlySet<Pid>): ProcessTable {
    if (this.#rows === null || this.#rows.size === 0)
      throw new ProcessTableUnreadable(say('The system has not listed its processes yet.'));
    return {
      bootId: this.bootId,
      takenAtMs: this.#takenAtMs,
      nowTicks: this.#takenAtMs,
      ticksPerSecond,
      clockIsSet: true,
      uid: this.#uid,
      rows: this.#rows,
      complete: false,
    };
  }

  /** Nothing can be read synchronously here, so nothing is ever confirmed. */
  read(): null {
    return null;
  }

  environment(): null {
    return null;
  }

  readEnvironment(): null {
    return null;
  }

  startedSinceScan(): null {
    return null;
  }

  outputs(): null {
    return null;
  }

  holdsOutput(): boolean {
    return false;
  }

  portsInUse(): null {
    return null;
  }

  facts(): ReadonlyMap<number, MemberFacts> {
    return new Map();
  }

  #row(one: ProcessDescriptor, takenAtMs: number): ProcessRow {
    const pid = asPid(one.pid);
    const before = this.#rows?.get(pid);
    const isSame = before !== undefined && before.comm === one.name && Number(before.ppid) === one.ppid;
    const row: ProcessRow = {
      pid,
      ppid: asPid(one.ppid),
      // Each process gets a group and session of its own: none is known, and none may seem shared.
      pgid: asGroupId(one.pid),
      sid: asKernelSessionId(one.pid),
      tty: 0,
      state: '?',
      startTicks: one.startTime?.getTime() ?? (isSame ? before.startTicks : takenAtMs),
      cpuMs: 0,
      rssBytes: 0,
      uid: one.uid ?? null,
      comm: one.name,
      argv: splitArguments(one.cmd ?? ''),
      kernelThread: false,
    };
    return rowOr(before, row);
  }
}
