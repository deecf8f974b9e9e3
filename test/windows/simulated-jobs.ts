import {
  accounting,
  jobClass,
  killOnClose,
  maxProcesses,
  processList,
  type ProcessOrder,
  type ProcessStart,
  type StartKernel,
} from '../../main/os/windows/start/start-kernel.ts';

/** A process of the simulated machine: it stays in the jobs in which it was born. */
export interface JobProcess {
  readonly pid: number;
  readonly jobs: readonly number[];
  status: number | null;
}

/**
 * Windows as far as starting in jobs goes: what a process starts is born in all of its jobs, a job
 * that is closed with its limit ends what is inside, and waits answer when a process ends.
 */
export class SimulatedJobs implements StartKernel {
  readonly processes = new Map<number, JobProcess>();
  readonly orders: ProcessOrder[] = [];
  readonly open = new Set<number>();
  readonly flags = new Map<number, number>();
  /** The error that the next start gives. */
  error: number | null = null;
  refusesJobs = false;
  refusesLimits = false;
  #next = 100;
  readonly #handles = new Map<number, JobProcess>();
  readonly #most = new Map<number, number>();
  readonly #waiting = new Set<() => void>();

  #handle(): number {
    this.#next += 4;
    this.open.add(this.#next);
    return this.#next;
  }

  /** True where each job of a process has room for one more. */
  admits({ jobs }: JobProcess): boolean {
    return jobs.every((job) => this.inside(job).length < (this.#most.get(job) ?? Number.POSITIVE_INFINITY));
  }

  /** A process starts another, however it likes: it has no say in the job. */
  fork(parent: JobProcess): JobProcess {
    this.#next += 4;
    // The pid that Curfew itself has in tests.
    if (this.#next === process.pid - (process.pid % 4)) this.#next += 4;
    const one: JobProcess = { pid: this.#next, jobs: parent.jobs, status: null };
    this.processes.set(one.pid, one);
    return one;
  }

  /** A process ends with a status. */
  end(one: JobProcess, status: number): void {
    one.status ??= status;
    this.processes.delete(one.pid);
    for (const answer of this.#waiting) answer();
  }

  inside(job: number): readonly JobProcess[] {
    return [...this.processes.values()].filter(({ jobs }) => jobs.includes(job));
  }

  createJob(): number | null {
    return this.refusesJobs ? null : this.#handle();
  }

  limitJob(job: number, flags: number, processes = 0): boolean {
    if (this.refusesLimits) return false;
    this.flags.set(job, flags);
    this.#most.set(job, (flags & maxProcesses) === 0 ? Number.POSITIVE_INFINITY : processes);
    return true;
  }

  job(job: number, informationClass: number, size: number): Buffer | null {
    if (!this.open.has(job)) return null;
    const inside = this.inside(job);
    const bytes = Buffer.alloc(size);
    if (informationClass === jobClass.accounting) {
      bytes.writeUInt32LE(inside.length, accounting.active);
      return bytes;
    }
    const fitting = inside.slice(0, Math.floor((size - processList.pids) / 8));
    bytes.writeUInt32LE(inside.length, processList.assigned);
    bytes.writeUInt32LE(fitting.length, processList.listed);
    fitting.forEach(({ pid }, index) => bytes.writeBigUInt64LE(BigInt(pid), processList.pids + index * 8));
    return bytes;
  }

  terminateJob(job: number, status: number): boolean {
    for (const one of this.inside(job)) this.end(one, status);
    return true;
  }

  inheritable(descriptor: number): number | null {
    return descriptor < 0 ? null : this.#handle();
  }

  create(order: ProcessOrder): ProcessStart {
    this.orders.push(order);
    if (this.error !== null) return { ok: false, error: this.error };
    const one = this.fork({ pid: 0, jobs: [order.job], status: null });
    const process = this.#handle();
    this.#handles.set(process, one);
    return { ok: true, pid: one.pid, process };
  }

  async ended(process: number): Promise<'ended' | 'lives' | 'unknown'> {
    const one = this.#handles.get(process);
    if (one === undefined) return 'unknown';
    const { promise, resolve } = Promise.withResolvers<'ended'>();
    const answer = (): void => {
      if (one.status !== null) resolve('ended');
    };
    this.#waiting.add(answer);
    answer();
    return promise;
  }

  exitStatus(process: number): number | null {
    return this.#handles.get(process)?.status ?? null;
  }

  close(handle: number): void {
    this.open.delete(handle);
    if (((this.flags.get(handle) ?? 0) & killOnClose) !== 0) this.terminateJob(handle, 0);
  }
}
