import type { Connection, ProcessProbe } from '../../../../app/diagnose/probe.ts';
import type { MemberFacts } from '../../../../app/process/facts.ts';
import type { Probing, SocketProbing, ExchangingProcess } from '../../processes/probing.ts';
import { readDescriptors } from '../kernel/descriptors.ts';
import type { DarwinKernel } from '../kernel/kernel.ts';
import { possibleClients } from './sockets.ts';
import { type Shared, sharersAmong } from '../../processes/sharers.ts';
import type { Exchange } from '../../../../app/jobs/measure/activity.ts';
import { readWork, type Work } from '../kernel/identity.ts';

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
class WorkMeter {
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

const slave = /^\/dev\/ttys\d+$/u;

/** Returns the named pipes and terminals that a process has open, by their paths. */
const sharedBy = (kernel: DarwinKernel, pid: number): ReadonlyMap<string, Shared> =>
  new Map(
    (readDescriptors(kernel, pid)?.all ?? []).flatMap((one): readonly [string, Shared][] => {
      if (one.kind !== 'file') return [];
      const by = one.is === 'named-pipe' ? 'pipe' : one.is === 'device' && slave.test(one.path) ? 'terminal' : null;
      return by === null ? [] : [[one.path, { by, at: one.path, writes: true }]];
    }),
  );

/**
 * Returns what each job shares with processes outside of it. Only where it shares anything are the
 * files of others read. Which terminal belongs to an open `/dev/ptmx`, and memory, macOS does not
 * tell.
 * @throws ProcessTableUnreadable
 */
const sharersOf =
  (kernel: DarwinKernel): SocketProbing['sharers'] =>
  (jobs, all) =>
    sharersAmong(jobs, all, (pid) => sharedBy(kernel, pid)).clients;

const connectionsOf = (kernel: DarwinKernel, pid: number): readonly Connection[] =>
  (readDescriptors(kernel, pid)?.all ?? []).flatMap((one) =>
    one.kind === 'internet' && one.protocol === 'tcp' && one.state === 'connected'
      ? [
          {
            inode: one.socket,
            local: one.local,
            remote: one.remote,
            // Keepalive is unknown here. It is assumed, because a diagnosis then waits longer.
            keptAlive: true,
            unacknowledgedBytes: 0,
            unreadBytes: 0,
          },
        ]
      : [],
  );

const probeOf = (kernel: DarwinKernel, pid: number, facts: MemberFacts | undefined): ProcessProbe => ({
  wait: null,
  place: null,
  threads: 0,
  switches: null,
  firstThreadCpuMs: null,
  minorFaults: null,
  writtenBytes: null,
  swapBytes: null,
  descriptors: facts?.openFiles?.length ?? null,
  descriptorLimit: null,
  pipes: [],
  connections: connectionsOf(kernel, pid),
  lockHolder: null,
});

/**
 * Probes through the kernel. It does not show what a process waits for, so diagnoses that need that
 * are not made.
 * @param ownPid of this process
 */
export const nativeProbing = (kernel: DarwinKernel, ownPid: number): Probing => {
  const meter = new WorkMeter(kernel, ownPid);
  return {
    processes: (rows, facts) => new Map(rows.map(({ pid }) => [pid, probeOf(kernel, pid, facts.get(pid))])),
    holders: () => new Map(),
    memory: () => null,
    traffic: () => new Map(),
    possibleClients: (processes) => possibleClients(kernel, processes),
    sharers: sharersOf(kernel),
    takenAlong: () => null,
    exchanges: (jobs) => meter.exchanges(jobs),
    oomKills: () => null,
    oomKilled: () => null,
  };
};
