import type { Enclosure } from '../../containment/service-manager.ts';
import type { Handle } from '../kernel/kernel.ts';
import { accounting, jobClass, killOnClose, maxProcesses, processList, type StartKernel } from './start-kernel.ts';

interface Limits {
  readonly endsWithUs: boolean;
  readonly sealed: boolean;
}

/** The status of a process that was ended with its job: as KILL shows on other systems. */
const killedStatus = 137;

/** Room for this many processes at first; a list that is cut is asked for again. */
const firstRoom = 256;
const maxRoom = 1 << 18;

/** Returns the pids in an answer; 'cut' where the list is not whole, null where it is none. */
export const pidsIn = (bytes: Buffer): readonly number[] | 'cut' | null => {
  if (bytes.length < processList.pids) return null;
  const assigned = bytes.readUInt32LE(processList.assigned);
  const listed = bytes.readUInt32LE(processList.listed);
  if (listed < assigned || processList.pids + listed * 8 > bytes.length) return 'cut';
  return Array.from({ length: listed }, (_, index) => Number(bytes.readBigUInt64LE(processList.pids + index * 8)));
};

const activeIn = (bytes: Buffer): number | null =>
  bytes.length < accounting.size ? null : bytes.readUInt32LE(accounting.active);

/**
 * The job object of one run: every process started in it stays in it, whatever it does, because it
 * allows no breakaway; and when the last handle to it is closed, as by the end of this process in
 * any way, the kernel ends all of them.
 * https://learn.microsoft.com/windows/win32/procthread/job-objects
 */
export class JobObject implements Enclosure {
  readonly path = 'job object';
  readonly what = 'job object of the run';
  readonly handle: Handle;
  readonly #kernel: StartKernel;
  #limits: Limits = { endsWithUs: true, sealed: false };
  #open = true;

  private constructor(kernel: StartKernel, handle: Handle) {
    this.#kernel = kernel;
    this.handle = handle;
  }

  /** Makes one; null where Windows refuses it, or its limit. */
  static make(kernel: StartKernel): JobObject | null {
    const handle = kernel.createJob();
    if (handle === null) return null;
    if (kernel.limitJob(handle, killOnClose)) return new JobObject(kernel, handle);
    kernel.close(handle);
    return null;
  }

  during<Result>(work: () => Result): Result {
    return work();
  }

  pids(): readonly number[] | null {
    for (let room = firstRoom; this.#open && room <= maxRoom; room *= 2) {
      const bytes = this.#kernel.job(this.handle, jobClass.processes, processList.pids + room * 8);
      const found = bytes === null ? null : pidsIn(bytes);
      if (found !== 'cut') return found;
    }
    return null;
  }

  /** Returns how many processes live in it; null where it can't be told. */
  active(): number | null {
    const bytes = this.#open ? this.#kernel.job(this.handle, jobClass.accounting, accounting.size) : null;
    return bytes === null ? null : activeIn(bytes);
  }

  kill(): boolean {
    return this.#open && this.#kernel.terminateJob(this.handle, killedStatus);
  }

  /**
   * Whether the kernel ends what is inside when this process ends. Not while something is inside
   * that is left alone: a crash of Curfew must not end that.
   */
  endsWithUs(ends: boolean): void {
    // What is left alone may start programs.
    this.#limit({ endsWithUs: ends, sealed: ends && this.#limits.sealed });
  }

  /**
   * Whether nothing more may start inside: what is there lives on, and the next process that it
   * starts is refused by the kernel. Then a program that starts others faster than a look takes is
   * seen whole.
   * https://learn.microsoft.com/windows/win32/api/winnt/ns-winnt-jobobject_basic_limit_information
   */
  seal(sealed: boolean): void {
    this.#limit({ ...this.#limits, sealed });
  }

  #limit(wanted: Limits): void {
    const { endsWithUs, sealed } = this.#limits;
    if (!this.#open || (wanted.endsWithUs === endsWithUs && wanted.sealed === sealed)) return;
    const flags = (wanted.endsWithUs ? killOnClose : 0) | (wanted.sealed ? maxProcesses : 0);
    if (this.#kernel.limitJob(this.handle, flags, wanted.sealed ? 1 : 0)) this.#limits = wanted;
  }

  /** A process can't leave its job; without a limit it is one among many. */
  moveOut(): void {
    this.#limit({ endsWithUs: false, sealed: false });
  }

  /** Closes it: with its limit, the kernel ends what is left inside. */
  remove(): boolean {
    if (this.#open) this.#kernel.close(this.handle);
    this.#open = false;
    return true;
  }
}
