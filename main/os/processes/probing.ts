import type { Holders, MemoryProbe, ProcessProbe, Traffic } from '../../../app/diagnose/probe.ts';
import type { Exchange } from '../../../app/jobs/measure/activity.ts';
import type { PossibleClient } from '../../../app/jobs/measure/clients.ts';
import type { ControlGroups, MemberFacts, OpenFile } from '../../../app/process/facts.ts';
import type { ProcessRow } from '../../../app/process/row.ts';

/** A process to which another may be connected. */
export interface AskedProcess {
  readonly pid: number;
  /** null: they can't be seen. */
  readonly files: readonly OpenFile[] | null;
  /** Ports on which its job listens. */
  readonly ports: ReadonlySet<number>;
}

/** A process of which is asked whether anything came or went over its sockets. */
export type ExchangingProcess = Pick<AskedProcess, 'pid' | 'files'>;

/** What is asked about the sockets of processes before anything is ended for being left over or silent. */
export interface SocketProbing {
  /**
   * Connections that were made to each of these processes, and what of them can't be told, which is never left out. May start a program, at most
   * once for all of them. Throws ProcessTableUnreadable.
   */
  possibleClients(processes: readonly AskedProcess[]): readonly (readonly PossibleClient[])[];

  /** What went over the sockets of each of these jobs so far. Throws ProcessTableUnreadable. */
  exchanges(jobs: readonly (readonly ExchangingProcess[])[]): readonly Exchange[];
}

/**
 * Looking into the processes of jobs that have used up half of their time. Synchronous and bounded as a look is; only reads, signals nothing,
 * opens none of their files. What a machine doesn't tell is null in what it gives.
 */
export interface Probing extends SocketProbing {
  /** Those of the processes that are still the same afterwards, by pid. `facts` are theirs, as far as they were read. Throws ProcessTableUnreadable. */
  processes(rows: readonly ProcessRow[], facts: ReadonlyMap<number, MemberFacts>): ReadonlyMap<number, ProcessProbe>;

  /** Who of these processes has one of these files or pipes open. Goes over all of their open files. Throws ProcessTableUnreadable. */
  holders(pids: Iterable<number>, targets: ReadonlySet<string>): ReadonlyMap<string, Holders>;

  /** How short memory is for a process in these control groups; null where nobody measures it. Throws ProcessTableUnreadable. */
  memory(cgroups: ControlGroups | null): MemoryProbe | null;

  /** How much went over connections, by the inode of their sockets; empty where that is not told. Starts a program, at most once in two minutes. */
  traffic(): ReadonlyMap<string, Traffic>;

  /** How many processes of these control groups the OOM killer has ended so far; null where nobody counts. Throws ProcessTableUnreadable. */
  oomKills(cgroups: ControlGroups | null): number | null;

  /** The one of these pids that the OOM killer ended within the last seconds, by the kernel's own log; null for none, and where it may not be read. */
  oomKilled(pids: readonly number[], withinSeconds: number): number | null;
}
