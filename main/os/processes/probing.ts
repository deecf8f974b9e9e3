import type { Holders, MemoryProbe, ProcessProbe, Traffic } from '../../../app/diagnose/probe.ts';
import type { Exchange } from '../../../app/jobs/measure/activity.ts';
import type { PossibleClient } from '../../../app/jobs/measure/clients.ts';
import type { Moved } from '../../../app/jobs/lineage/witness.ts';
import type { ControlGroups, MemberFacts, OpenFile } from '../../../app/process/facts.ts';
import type { AgentEnds, StandardEnd } from '../../../app/model/reach.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { TakenAlong } from '../../../app/process/taken-along.ts';

export interface AskedProcess {
  readonly pid: number;
  /** Null: they can't be seen. */
  readonly files: readonly OpenFile[] | null;
  /** Ports on which its job listens. */
  readonly ports: ReadonlySet<number>;
}

export type ExchangingProcess = Pick<AskedProcess, 'pid' | 'files'>;

export interface SocketProbing {
  /**
   * Returns the connections made to each of these processes, including what can't be determined.
   * May start a program, at most once for all of them.
   * @param ways `any`: those that it has made itself too, and all over which something may come
   * @throws ProcessTableUnreadable
   */
  possibleClients(processes: readonly AskedProcess[], ways?: 'served' | 'any'): readonly (readonly PossibleClient[])[];

  /**
   * Returns what each of these jobs shares with processes outside of it: named pipes, terminals,
   * memory. Reads the open files of all these processes. Nothing where the machine does not tell.
   * @throws ProcessTableUnreadable
   */
  sharers(jobs: readonly ReadonlySet<number>[], all: readonly number[]): readonly (readonly PossibleClient[])[];

  /**
   * Returns what the kernel ends with which process, at most a second old; null where the machine
   * does not tell.
   * @param asked names the process of which it is only shown, so that an older answer does
   * @throws ProcessTableUnreadable
   */
  takenAlong(asked?: { readonly shown?: number }): TakenAlong | null;

  /**
   * Returns the traffic of the sockets of each of these jobs so far.
   * @throws ProcessTableUnreadable
   */
  exchanges(jobs: readonly (readonly ExchangingProcess[])[]): readonly Exchange[];
}

/** Reads where standard input and output of agents lead. Nothing is read from them or written. */
export interface EndsProbing {
  /**
   * Whether an end is asked for anew with each question. If not, agents are only shown: nothing can
   * be confirmed immediately before a signal.
   */
  readonly isCurrent: boolean;

  /**
   * Returns them for one process at this moment, past every cache; null if it is gone or another.
   * @throws ProcessTableUnreadable
   */
  read(process: { readonly pid: number; readonly startTicks: number }): AgentEnds | null;

  sameInput(pid: number, other: number): boolean;

  /** What tells whether a process moves bytes; null where that can't be told. */
  moved(process: { readonly pid: number; readonly startTicks: number }): Moved | null;

  /**
   * Returns which of these processes hold the other side of an end. Reads the links of all of their
   * open files; `complete` is false if some could not be looked into.
   * @throws ProcessTableUnreadable
   */
  holders(end: StandardEnd, pids: Iterable<number>): { readonly pids: readonly number[]; readonly complete: boolean };
}

/**
 * Probes the processes of jobs that have used half of their time. Synchronous and bounded like a
 * scan; read-only, signals nothing, opens none of their files. What a machine does not report is
 * null.
 */
export interface Probing extends SocketProbing {
  /**
   * Probes processes by pid; those that were replaced meanwhile are left out. `facts` are theirs,
   * as far as they were read.
   * @throws ProcessTableUnreadable
   */
  processes(rows: readonly ProcessRow[], facts: ReadonlyMap<number, MemberFacts>): ReadonlyMap<number, ProcessProbe>;

  /**
   * Returns which of these processes have one of these files or pipes open. Reads all of their open
   * files.
   * @throws ProcessTableUnreadable
   */
  holders(pids: Iterable<number>, targets: ReadonlySet<string>): ReadonlyMap<string, Holders>;

  /**
   * Returns the memory pressure of these control groups; null if it is not measured.
   * @throws ProcessTableUnreadable
   */
  memory(cgroups: ControlGroups | null): MemoryProbe | null;

  /** Traffic by socket inode; empty if unknown. Starts a program, at most every two minutes. */
  traffic(): ReadonlyMap<string, Traffic>;

  /**
   * Returns how many processes of these control groups the OOM killer has ended so far; null if
   * there is no counter.
   * @throws ProcessTableUnreadable
   */
  oomKills(cgroups: ControlGroups | null): number | null;

  /** Returns which pids the OOM killer lately ended, by the log; null: none, or unreadable. */
  oomKilled(pids: readonly number[], withinSeconds: number): number | null;
}
