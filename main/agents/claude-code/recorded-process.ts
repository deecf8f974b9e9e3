import type { Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { hasEnded } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { startedAtMs } from '../../../app/process/table.ts';

/** Whether the process that a registry names is still the one it means. */
export type RecordedProcess =
  | { readonly state: 'live'; readonly row: ProcessRow }
  | { readonly state: 'gone' }
  | { readonly state: 'unknown' };

/** `ps -o lstart` shows whole seconds and may round either way. */
const toleranceMs = 1500;

/**
 * Compares a recorded start with a process of the table. Claude Code records field 22 of
 * /proc/PID/stat as text on Linux and a date without a zone elsewhere, which is meant in UTC: read
 * in local time every living session would look dead. null: no telling.
 */
const startsWhen = (table: ProcessTable, row: ProcessRow, recorded: string): boolean | null => {
  if (/^\d{1,18}$/.test(recorded)) return recorded === String(row.startTicks);
  if (!/^[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d{2}:\d{2}:\d{2} \d{4}$/.test(recorded)) return null;
  const recordedMs = Date.parse(`${recorded} UTC`);
  return Number.isNaN(recordedMs) ? null : Math.abs(recordedMs - startedAtMs(table, row.startTicks)) < toleranceMs;
};

/**
 * Looks a recorded process up. `gone` only when the table shows all processes and none is the
 * recorded one; a zombie has ended. `recordedStart` null: the registry says no start time, and then
 * a living process under that pid proves nothing.
 */
export const findRecorded = (table: ProcessTable, pid: Pid, recordedStart: string | null): RecordedProcess => {
  const row = table.rows.get(pid);
  if (row === undefined) return { state: table.complete ? 'gone' : 'unknown' };
  const same = recordedStart === null ? null : startsWhen(table, row, recordedStart);
  if (same === false) return { state: 'gone' };
  if (hasEnded(row)) return { state: 'gone' };
  return same === null ? { state: 'unknown' } : { state: 'live', row };
};
