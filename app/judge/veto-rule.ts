import type { KeepMemory } from '../jobs/ledger/ledger.ts';
import type { KeptByAgent } from '../model/session.ts';
import type { ControlGroups, MemberFacts } from '../process/facts.ts';
import type { Pid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import type { TakenAlong } from '../process/taken-along.ts';
import type { Veto, VetoCode } from './verdict.ts';

/** What vetoes must know besides the process. One a look; only `ownerServices` is per job. */
export interface VetoContext {
  /** Curfew's own pid, its ancestors' pids up to pid 1, and its own process group. */
  readonly ownPid: Pid;
  readonly ownAncestors: ReadonlySet<Pid>;
  readonly ownGroup: number;
  /** The user whose processes are candidates. */
  readonly uid: number;
  /** Curfew's own pid namespace (inode as text); null where there is no such thing. */
  readonly pidNamespace: string | null;
  /** Curfew's own control groups; null where there is no such thing. */
  readonly cgroups: ControlGroups | null;
  /** The process is an agent or a part of one: every signature's `program`. */
  readonly isAgent: (row: ProcessRow) => boolean;
  /**
   * Services (as `serviceOf` names them) that contain or contained the agent of this job: the
   * living owner's, or what the ledger remembers. Empty when not known.
   */
  readonly ownerServices: readonly string[];
  readonly keptByAgent: readonly KeptByAgent[];
  /** What is known of `CURFEW_KEEP` in this job; nothing if left out. */
  readonly keep?: KeepMemory;
  /** What the user said is theirs, as pid:start; nothing if left out. */
  readonly mine?: ReadonlySet<string>;
  /** The job's members at this look; left out where this look did not find the job. */
  readonly jobMembers?: ReadonlySet<number>;
  /**
   * Sockets of the job itself, and of leftovers that are of no use to any process: a display among
   * them shows nothing to the user. Left out where no process is connected to a display.
   */
  readonly harmlessSockets?: ReadonlySet<string>;
  /** What the kernel ends with it, asked of what is about to end; left out: not asked, not told. */
  readonly takenAlong?: (pid: Pid) => TakenAlong | null;
  readonly rows: ReadonlyMap<Pid, ProcessRow>;
}

/** The part that a process plays in its job. */
export interface MemberRole {
  readonly isRoot: boolean;
  /** By parentage, at this look. */
  readonly descendsFromRoot: boolean;
  /**
   * The root, where its own argv proves it to be what an agent started (wrapper grammar, the user's
   * rule) or its parent does (aider); else null.
   */
  readonly toolShell: Pid | null;
}

/**
 * One reason why a process may not be signalled, or null. Pure. `facts` is null when nothing could
 * be read; what could not be read proves nothing, so it is no veto by itself (the uid excepted).
 */
export type VetoRule = (
  row: ProcessRow,
  facts: MemberFacts | null,
  role: MemberRole,
  context: VetoContext,
) => Veto | null;

/** Makes a veto about a process, with the figures that its sentence needs. */
export const veto = (code: VetoCode, row: ProcessRow, figures: Veto['figures'] = {}): Veto => ({
  code,
  pid: row.pid,
  figures,
});
