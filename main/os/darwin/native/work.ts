import type { Exchange } from '../../../../app/jobs/measure/activity.ts';
import type { ExchangingProcess } from '../../processes/probing.ts';
import { readWork, type Work } from '../kernel/identity.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';

const counters = ['unixCalls', 'machCalls', 'switches', 'faults', 'ticks'] as const satisfies readonly (keyof Work)[];

const unknown: Exchange = { kind: 'unknown' };

/**
 * Tells whether processes did anything at all. macOS counts no bytes of pipes and sockets, but it
 * counts the system calls of a process, without which nothing is read, written, sent or received,
 * and how often it ran. While none of these moves, a process is silent.
 *
 * Believed only once the kernel has been seen to count: each of these questions is a call of this
 * process, so its own number must have grown by them.
 */
export class WorkMeter {
  readonly #kernel: DarwinKernel;
  readonly #ownPid: number;
  #counts = false;

  constructor(kernel: DarwinKernel, ownPid: number) {
    this.#kernel = kernel;
    this.#ownPid = ownPid;
  }

  /** See `SocketProbing`. What is measured is everything that the processes of a job do. */
  exchanges(jobs: readonly (readonly Pick<ExchangingProcess, 'pid'>[])[]): readonly Exchange[] {
    const before = this.#counts ? null : readWork(this.#kernel, this.#ownPid);
    const measured = jobs.map((job) => this.#figureOf(job));
    if (!this.#counts) {
      const after = readWork(this.#kernel, this.#ownPid);
      const asked = 1 + jobs.flat().length;
      this.#counts = before !== null && after !== null && after.unixCalls - before.unixCalls >= asked;
    }
    return measured.map((figure) =>
      figure === null || !this.#counts ? unknown : { kind: 'measured', figure, everything: true },
    );
  }

  /** No counter falls, so that their sums stay only as long as each does. */
  #figureOf(job: readonly Pick<ExchangingProcess, 'pid'>[]): string | null {
    if (job.length === 0) return null;
    const all = job.map(({ pid }) => readWork(this.#kernel, pid));
    if (all.includes(null)) return null;
    return counters.map((name) => all.reduce((sum, one) => sum + (one?.[name] ?? 0), 0)).join(':');
  }
}
