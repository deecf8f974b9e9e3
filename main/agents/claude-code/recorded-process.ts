import { ticksOf } from '../../os/processes/file-time.ts';
import type { Pid } from '../../../app/process/identity.ts';
import { type ProcessRow, hasEnded, minEpochMicroseconds } from '../../../app/process/row.ts';
import { type ProcessTable, startedAtMs } from '../../../app/process/table.ts';

export type RecordedProcess =
  | { readonly state: 'live'; readonly row: ProcessRow }
  | { readonly state: 'gone' }
  | { readonly state: 'unknown' };

/** `ps -o lstart` shows whole seconds and may round either way. */
const toleranceMs = 1500;

/** A start as Linux tells it. */
export const tickForm = /^\d{1,17}$/;
const dateForm = /^[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d{2}:\d{2}:\d{2} \d{4}$/;

/*
 * On Windows a start is a FILETIME (100 ns since 1601, in UTC), or the ticks of .NET (100 ns since
 * the year 1, by the local clock of that moment), as WMI tells it (2.1.329, read in its bundle).
 * From 2012 to 2250 the one has these figures, from the year 951 on the other; ticks of Linux have
 * fewer.
 */
const minFileTime = 130_000_000_000_000_000n;
const minDotNet = 300_000_000_000_000_000n;
/** The moment from which JavaScript counts, in ticks of .NET. */
const dotNetEpoch = 621_355_968_000_000_000n;
const localToleranceMs = 1000;

/** True for a recorded start in one of the forms of Windows. */
export const isWindowsStart = (recorded: string | null): boolean => recorded !== null && /^\d{18}$/.test(recorded);

/** Returns a recorded start of Windows in ticks of its process table; null for all others. */
export const windowsStart = (recorded: string): number | null => {
  const ticks = isWindowsStart(recorded) ? BigInt(recorded) : 0n;
  return ticks >= minFileTime && ticks < minDotNet ? ticksOf(ticks) : null;
};

/** The zone isn't recorded, and may be another now: only an agreement proves something. */
const startsAtLocal = (table: ProcessTable, row: ProcessRow, ticks: bigint): true | null => {
  const at = new Date(Number((ticks - dotNetEpoch) / 10_000n));
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), at.getUTCMilliseconds()] as const;
  const startMs = new Date(year, month, day, ...time).getTime();
  return Math.abs(startMs - startedAtMs(table, row.startTicks)) < localToleranceMs ? true : null;
};

/**
 * Compares a recorded start with a process of the table. Claude Code records field 22 of
 * /proc/PID/stat as text on Linux, ticks on Windows, and a date without a zone on macOS, which is
 * meant in UTC: read in local time every living session would look dead. null: no telling.
 */
const startsWhen = (table: ProcessTable, row: ProcessRow, recorded: string): boolean | null => {
  if (isWindowsStart(recorded) && BigInt(recorded) >= minDotNet) return startsAtLocal(table, row, BigInt(recorded));
  const onWindows = windowsStart(recorded);
  if (onWindows !== null) return onWindows === row.startTicks;
  if (tickForm.test(recorded)) return recorded === String(row.startTicks);
  if (!dateForm.test(recorded)) return null;
  const recordedMs = Date.parse(`${recorded} UTC`);
  return Number.isNaN(recordedMs) ? null : Math.abs(recordedMs - startedAtMs(table, row.startTicks)) < toleranceMs;
};

/** True for a start in the form in which it is recorded on the machine of that table. */
const isOwnForm = ({ bootId, nowTicks }: ProcessTable, recorded: string): boolean => {
  if (bootId.startsWith('windows-')) return isWindowsStart(recorded);
  return (nowTicks > minEpochMicroseconds ? dateForm : tickForm).test(recorded);
};

/**
 * Looks a recorded process up. `gone` only when the table shows all processes and none is the
 * recorded one; a zombie has ended. `recordedStart` null: the registry says no start time, and then
 * a living process under that pid proves nothing. A start in the form of another system (a home
 * folder shared with it) tells of no process here.
 */
export const findRecorded = (table: ProcessTable, pid: Pid, recordedStart: string | null): RecordedProcess => {
  const row = table.rows.get(pid);
  if (recordedStart !== null && !isOwnForm(table, recordedStart)) return { state: 'unknown' };
  if (row === undefined) return { state: table.complete ? 'gone' : 'unknown' };
  const same = recordedStart === null ? null : startsWhen(table, row, recordedStart);
  if (same === false) return { state: 'gone' };
  if (hasEnded(row)) return { state: 'gone' };
  return same === null ? { state: 'unknown' } : { state: 'live', row };
};
