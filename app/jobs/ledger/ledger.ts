import type { Watch } from '../../diagnose/watch.ts';
import type { AgentId } from '../../agents/common/agent-id.ts';
import type { BootId } from '../../process/identity.ts';
import type { JobBasis } from '../../model/job.ts';
import type { ServerMemory } from '../../model/server-state.ts';

/** A process inside one boot; the boot stands once, at the entry. */
export interface ProcessRef {
  readonly pid: number;
  readonly startTicks: number;
}

/** Returns a text that is a process's own within one boot. */
export const refKey = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;

/** A process in the image it was seen in; null where none are told, see `MemberFacts`. */
export interface ImageMark extends ProcessRef {
  readonly image: string | null;
}

/** What is known of `CURFEW_KEEP=1` in a job. */
export interface KeepMemory {
  /** The text of its command gives the mark to what it starts. */
  readonly assigned: boolean;
  /** Living processes that were once seen carrying it: programs overwrite their environment. */
  readonly kept: readonly ImageMark[];
  /** Living members that are known not to carry it. */
  readonly plain: readonly ImageMark[];
}

export interface SeenAgent extends ProcessRef {
  readonly agent: AgentId;
  /** A hook, a lock file or a registry named it as the owner. */
  readonly claims?: true;
  /** It stood between the agent and the job at a look, and is not known to be an agent. */
  readonly starts?: true;
}

/** Stands for a moment before Curfew looked. */
export const goneBefore = 0;

/** A job's activity as last measured, so that any next look can tell silence from work. */
export interface Activity {
  readonly cpuMs: number;
  /** null when it could not be read: then silence can't be claimed. */
  readonly ioBytes: number | null;
  readonly outputBytes: number | null;
  /** Sum over the members of pid and start time; changes when a process came or went. */
  readonly membership: string;
  /** What was measured of its sockets; left out where it has none, or was too young to be asked. */
  readonly exchange?: string;
  /** Ticks of the last look at which any of these had changed. */
  readonly changedAtTicks: number;
  /** Ticks of the latest look. */
  readonly observedAtTicks: number;
  /** Looks since the last change. */
  readonly quietLooks: number;
}

/**
 * What Curfew saw of a job while it was young, kept so that it still knows it when its shell is
 * gone. Written at every look at which something of it changed.
 */
export interface LedgerEntry extends JobBasis {
  readonly bootId: BootId;
  /** The tool shell, or the oldest member at first sight. It may have ended since. */
  readonly root: ProcessRef;
  /** Members' process groups and kernel sessions; while one lives, its pid isn't reused. */
  readonly groups: readonly number[];
  readonly kernelSessions: readonly number[];
  /** Living members at the latest look. */
  readonly members: readonly ProcessRef[];
  /** See `numbersOf`. Left out where the kernel gives no numbers. */
  readonly numbers?: readonly number[];
  /** The agent's process, when it was seen. */
  readonly owner: ProcessRef | null;
  /** Agents that lived at a look, older than the job, of a kind that marked it. Left out: none. */
  readonly couldOwn?: readonly SeenAgent[];
  /** The owner's control group, so that its service is not taken for a stranger's later. */
  readonly ownerService: string | null;
  /**
   * Wall clock, milliseconds, when the owner was first known to be gone; `goneBefore` when it was
   * so at first sight; null: it isn't.
   */
  readonly ownerGoneSinceMs: number | null;
  /** The same in ticks, which no user can set; null where unknown, or it isn't gone. */
  readonly ownerGoneAtTicks: number | null;
  /** Members that read a named pipe at a look: a queue may close it for each order. */
  readonly pipeReaders?: readonly ProcessRef[];
  /** Why a part of it was the user's at a look. Left out: nothing said so. */
  readonly users?: string;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly lastSeenTicks: number;
  readonly activity: Activity;
  /** What diagnoses remember of it; null while it is young. */
  readonly watch: Watch | null;
  /** Left out of what earlier versions stored. */
  readonly keep?: KeepMemory;
  readonly noticedAtMs: number | null;
  /** Ticks when the end was announced that comes next; null: none is. */
  readonly announcedAtTicks: number | null;
  /** Set for a server of a session. */
  readonly server?: ServerMemory;
}

/** True where an earlier look saw that this member reads a named pipe. */
export const readPipe = (entry: Pick<LedgerEntry, 'pipeReaders'> | null, { pid, startTicks }: ProcessRef): boolean =>
  entry?.pipeReaders?.some((one) => one.pid === pid && one.startTicks === startTicks) === true;
