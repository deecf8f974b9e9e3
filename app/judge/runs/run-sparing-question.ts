import type { MarkerEnvironment, MemberFacts } from '../../process/facts.ts';
import type { Pid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { Veto } from '../verdict.ts';
import type { VetoContext } from '../veto-rule.ts';

/** Why a run's process is left alone: its own veto, or it was started by one left alone. */
export type RunSparing =
  | { readonly kind: 'veto'; readonly veto: Veto }
  | { readonly kind: 'below'; readonly origin: Pid };

export interface RunSparings {
  readonly spared: ReadonlyMap<Pid, RunSparing>;
  /** To be handed to the next call. */
  readonly memory: RunSparingMemory;
  /**
   * A program of contract 5 was adopted a moment ago and is still in the session of the run: it may
   * be between fork(2) and setsid(2), as ssh-agent is when its parent has exited.
   */
  readonly mayBeLeaving: boolean;
}

/** What earlier looks saw. It counts for as long as the identity lives. */
export interface RunSparingMemory {
  /** Processes that were below a spared one, by pid: start time, and pid of the spared one. */
  readonly below: ReadonlyMap<Pid, { readonly startTicks: number; readonly origin: Pid }>;
  /** Processes that carried CURFEW_KEEP=1, by pid: programs overwrite their environment. */
  readonly kept: ReadonlyMap<Pid, number>;
  /** Kernel sessions that a spared process led, with the pid of the spared one. */
  readonly sessions: ReadonlyMap<number, Pid>;
  /**
   * Sessions of agents that `curfew run` itself, or a process inside the session of the run, named
   * in its environment: all that the run started may carry them.
   */
  readonly inherited: ReadonlySet<string>;
}

/** The memory before the first look. */
export const nothingSpared: RunSparingMemory = {
  below: new Map(),
  kept: new Map(),
  sessions: new Map(),
  inherited: new Set(),
};

/** What is known of a run when its processes are judged. */
export interface RunSparingQuestion {
  /** Living processes of the run. */
  readonly members: readonly ProcessRow[];
  /** True while a process is in the kernel session in which the command of the run was started. */
  readonly isInside: (row: ProcessRow) => boolean;
  /** True where the process was adopted: its own parent has ended. */
  readonly isAdopted: (row: ProcessRow) => boolean;
  /** True where the kernel itself keeps the process in the run: it was certainly started there. */
  readonly isContained?: (row: ProcessRow) => boolean;
  /** The process began less than a moment ago. */
  readonly isYoung: (row: ProcessRow) => boolean;
  /** Asked for processes that have left the session of the run. */
  readonly facts: (rows: readonly ProcessRow[]) => ReadonlyMap<number, MemberFacts>;
  readonly environment: (row: ProcessRow) => MarkerEnvironment | null;
  /** Of the whole machine; `rows` is replaced. */
  readonly context: VetoContext;
  readonly strict: boolean;
  /** `curfew run` itself carries CURFEW_KEEP=1, so the mark says nothing of what it started. */
  readonly keepInherited: boolean;
  readonly memory: RunSparingMemory;
}
