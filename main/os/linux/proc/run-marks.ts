import { statSync } from 'node:fs';
import { threadsOf } from './living-thread.ts';
import { type ProcReader, unlessRefused } from './proc-reader.ts';

/** More than three numbers of 20 digits. */
const markBytes = 128;
/** Of a process with more threads reading the rest costs less than asking each of them. */
const maxThreads = 24;
/** What a kernel without statistics of its scheduler shows: then nothing is known. */
const noFigures = '0 0 0\n';

/**
 * Tells whether processes have run. A thread that ran has more time on a processor and was put on
 * one more often: /proc/PID/schedstat, https://docs.kernel.org/scheduler/sched-stats.html. Read in
 * 8 microseconds; the facts about a process take 250.
 */
export class RunMarks {
  readonly #reader: ProcReader;

  constructor(reader: ProcReader) {
    this.#reader = reader;
  }

  /**
   * Returns a text that is the same as long as no thread of the process has run; null where that
   * can't be told.
   * @throws ProcessTableUnreadable
   */
  read(pid: number): string | null {
    const folder = `/proc/${pid}/task`;
    const links = unlessRefused(folder, () => statSync(folder, { throwIfNoEntry: false }))?.nlink ?? 0;
    // A folder with so many folders in it has two links more: itself and the one above.
    if (links === 3) return this.#figures(`/proc/${pid}/schedstat`);
    if (links === 0 || links > maxThreads + 2) return null;
    const marks: string[] = [];
    for (const thread of threadsOf(pid)) {
      const figures = this.#figures(`${folder}/${thread}/schedstat`);
      if (figures === null) return null;
      marks.push(`${thread} ${figures}`);
    }
    return marks.length === 0 ? null : marks.join('');
  }

  #figures(path: string): string | null {
    const length = this.#reader.read(path, markBytes);
    if (length <= 0) return null;
    const figures = this.#reader.bytes.toString('latin1', 0, length);
    return figures === noFigures ? null : figures;
  }
}
