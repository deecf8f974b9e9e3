import type { MarkerEnvironment, MemberFacts, OpenFile } from '../../../app/process/facts.ts';
import type { BootId, Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import type { Probing, SocketProbing } from './probing.ts';

/**
 * Where the process table comes from. Synchronous throughout: asynchronous file calls were measured 12 times slower on /proc,
 * and a look that can be interrupted in the middle would see two different moments.
 */
export interface ProcessSource {
  /** What this source is, for `doctor`: "procfs", "ps", "ps-list". */
  readonly name: string;
  /** False where identities are too coarse to signal by (Windows through ps-list): then Curfew only reports. */
  readonly canReap: boolean;
  /** The boot that every identity of this source belongs to. */
  readonly bootId: BootId;

  /**
   * Only where the machine can't be asked synchronously (ps-list): takes the look that the next `scan` gives. To be awaited before
   * each scan where it is there. Throws ProcessTableUnreadable.
   */
  refresh?(): Promise<void>;

  /**
   * One look. `watched` are read afresh every time (members of jobs, agents); of the others only what is new or may have changed.
   * A row that didn't change is the same object as in the look before, so that what was derived from it can be kept by object.
   * Throws ProcessTableUnreadable when the machine does not answer; an empty table is never returned for a failure.
   */
  scan(watched: ReadonlySet<Pid>): ProcessTable;

  /** One process read afresh, past every cache; null when it has gone. This is what confirms an identity. */
  read(pid: Pid): ProcessRow | null;

  /**
   * Everybody who was started since the last `scan`, read afresh; null when that can't be told. Not there where whole groups can't be signalled
   * either: it is asked before that, because a group may have grown since its members were judged.
   */
  startedSinceScan?(): readonly ProcessRow[] | null;

  /**
   * Environment of a process of this table, only the allow-listed names, read once per identity and again when its argv changed.
   * null when it can't be read.
   */
  environment(row: ProcessRow): MarkerEnvironment | null;

  /** The same, past every cache. */
  readEnvironment(pid: Pid): MarkerEnvironment | null;

  /**
   * A living process of the latest table which has this pid in a pid namespace of its own, below the table's; null for none. Not there where
   * namespaces aren't told.
   */
  namedInside?(pid: Pid): Pid | null;

  /** What standard output and standard error point to; the cheap part of the open files. null when not readable. */
  outputs(row: ProcessRow): readonly OpenFile[] | null;

  /** Everything known on demand of the members of jobs. One call for all, because ports, sockets and locks are read once for the machine. */
  facts(rows: readonly ProcessRow[]): ReadonlyMap<number, MemberFacts>;

  /**
   * TCP and UDP ports that somebody, whoever it is, listens on at this moment, in Curfew's own network namespace; not there where the machine
   * isn't asked for that. A port that one process gave up may be held by another, to whom the listening socket was handed on.
   */
  portsInUse?(): ReadonlySet<number>;

  /** Looking into single processes, for diagnoses; not there where nothing of the kind can be told. */
  readonly probing?: Probing;

  /**
   * What sockets tell, where that is all that single processes can be asked for. Where neither this nor `probing` is there, nothing is known of
   * connections, which counts as in use and at work.
   */
  readonly sockets?: SocketProbing;

  /** Curfew's own pid namespace (inode as text), to compare with a member's; null where there is no such thing. */
  readonly pidNamespace: string | null;
  /** Curfew's own control groups. */
  readonly cgroups: MemberFacts['cgroups'];
}

/** The machine did not give its process table. Nothing may be concluded, least of all that processes have gone. */
export class ProcessTableUnreadable extends Error {
  override readonly name = 'ProcessTableUnreadable';
}
