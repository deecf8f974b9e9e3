import type { Exchange } from '../../../../app/jobs/measure/activity.ts';
import type { ExchangingProcess } from '../../processes/probing.ts';
import { threadsOf } from '../proc/living-thread.ts';
import { type ProcReader, statusField } from '../proc/proc-reader.ts';

/** Processes with more threads are not measured. */
const maxThreads = 512;

/**
 * Returns a number that changes whenever any thread of the process has slept in between.
 * @throws ProcessTableUnreadable
 */
export const switchesOf = (reader: ProcReader, pid: number): number | null => {
  const threads = threadsOf(pid);
  if (threads.length === 0 || threads.length > maxThreads) return null;
  let sum = 0;
  for (const thread of threads) {
    const status = reader.readText(`/proc/${pid}/task/${thread}/status`, 8_192) ?? '';
    const count = statusField(status, 'voluntary_ctxt_switches');
    if (count === null) return null;
    sum += Number(count);
  }
  return sum;
};

/**
 * Combines the processes of a job into a figure that stays equal as long as none of their threads
 * has run: whatever a process does, it runs for that. Bytes and the ticks of processor time are too
 * coarse, and neither counts what is written to a mapped file.
 * @param marks returns what of a process moves whenever it runs; null: not known
 */
export const exchangeOf = (
  processes: readonly ExchangingProcess[],
  marks: (pid: number) => string | number | null,
): Exchange => {
  const figures = processes.map(({ pid }) => marks(pid));
  return figures.includes(null) ? { kind: 'unknown' } : { kind: 'measured', figure: figures.join(' ') };
};
