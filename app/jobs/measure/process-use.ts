import type { ProcessRow } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';

/** Looks closer together than this say nothing of a share, seconds. */
const minSeconds = 0.5;

interface MeasuredProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly cpuMs: number;
  readonly cpuPercent: number | null;
}

/** The CPU time of some processes at one look, and their shares since the look before. */
export interface ProcessUse {
  readonly bootId: string;
  readonly atTicks: number;
  readonly byProcess: ReadonlyMap<string, MeasuredProcess>;
}

const keyOf = ({ pid, startTicks }: Pick<ProcessRow, 'pid' | 'startTicks'>): string => `${pid}:${startTicks}`;

/**
 * CPU time that each process was given by children that it waited for: the kernel adds all of their
 * time at once, and what they took before was counted as theirs.
 */
const inheritedMs = (before: ProcessUse, now: ReadonlySet<string>): ReadonlyMap<number, number> => {
  const inherited = new Map<number, number>();
  for (const [key, { ppid, cpuMs }] of before.byProcess)
    if (!now.has(key)) inherited.set(ppid, (inherited.get(ppid) ?? 0) + cpuMs);
  return inherited;
};

/**
 * Returns the use of processes at a look. A share is of one core since the look before, in whole
 * percent, so that an idle process does not change with every look; null: it was not there then.
 */
export const measureProcesses = (
  before: ProcessUse | null,
  table: Pick<ProcessTable, 'bootId' | 'nowTicks' | 'ticksPerSecond'>,
  rows: readonly ProcessRow[],
): ProcessUse => {
  const known = before?.bootId === table.bootId && before.atTicks <= table.nowTicks ? before : null;
  const seconds = known === null ? 0 : (table.nowTicks - known.atTicks) / table.ticksPerSecond;
  const keys = new Set(rows.map(keyOf));
  const inherited = known === null ? new Map<number, number>() : inheritedMs(known, keys);
  const tooSoon = known !== null && seconds < minSeconds;
  const byProcess = new Map<string, MeasuredProcess>();
  for (const row of rows) {
    const last = known?.byProcess.get(keyOf(row));
    const usedMs = last === undefined ? 0 : row.cpuMs - last.cpuMs;
    const given = inherited.get(row.pid) ?? 0;
    const ownMs = Math.max(0, usedMs >= given ? usedMs - given : usedMs);
    const cpuPercent = last === undefined ? null : tooSoon ? last.cpuPercent : Math.round(ownMs / 10 / seconds);
    byProcess.set(keyOf(row), {
      pid: row.pid,
      ppid: row.ppid,
      // The next share counts from the same moment as this one.
      cpuMs: tooSoon && last !== undefined ? last.cpuMs : row.cpuMs,
      cpuPercent,
    });
  }
  return { bootId: table.bootId, atTicks: tooSoon ? known.atTicks : table.nowTicks, byProcess };
};

/** Returns the share of one core of a process; null: not known. */
export const cpuPercentIn = (use: ProcessUse | null, row: Pick<ProcessRow, 'pid' | 'startTicks'>): number | null =>
  use?.byProcess.get(keyOf(row))?.cpuPercent ?? null;
