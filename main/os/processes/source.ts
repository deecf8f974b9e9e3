import type { SaidByKey } from '../../../app/format/said.ts';
import { SaidError } from '../../../app/text/say.ts';
import type { ChannelRound } from '../../../app/process/channels.ts';
import type { ProcessRef } from '../../../app/jobs/ledger/ledger.ts';
import type { Glimpse } from '../../../app/jobs/lineage/evidence.ts';
import type { ControlGroups, MarkerEnvironment, MemberFacts, OpenFile } from '../../../app/process/facts.ts';
import type { BootId, Pid } from '../../../app/process/identity.ts';
import type { NamedInside } from '../../../app/process/named-inside.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { Steps } from '../../../app/process/steps.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import type { EndsProbing, Probing, SocketProbing } from './probing.ts';

/**
 * The source of the process table. Synchronous throughout: asynchronous file calls were measured 12
 * times slower on /proc, and an interrupted scan would mix two moments.
 */
export interface ProcessSource {
  /** The name of this source, for `doctor`: "procfs", "ps", "ps-list". */
  readonly name: string;
  /** False if identities are too coarse to signal by (ps-list): then Curfew only reports. */
  readonly canReap: boolean;
  readonly bootId: BootId;

  /** Curfew's pid namespace (inode as text), to compare with a member's; null: there is none. */
  readonly pidNamespace: string | null;
  /** Curfew's own control groups. */
  readonly cgroups: MemberFacts['cgroups'];

  /**
   * Reads the table that the next `scan` returns; await it before each scan. Null where the machine
   * is read synchronously.
   * @throws ProcessTableUnreadable
   */
  readonly refresh: (() => Promise<void>) | null;

  /**
   * Scans the machine. `watched` processes are read every time (members of jobs, agents); of the
   * others only what is new or may have changed. An unchanged process keeps its row object, so that
   * derived data can be cached by object.
   * @throws ProcessTableUnreadable when the machine does not answer; a failure never returns an
   * empty table
   */
  scan(watched: ReadonlySet<Pid>): ProcessTable;

  /** Reads one process past every cache; null if it is gone. Confirms identities. */
  read(pid: Pid): ProcessRow | null;

  /**
   * Returns the processes started since the last scan, read afresh, or null if unknown. It is
   * called before group signals, because a group may have grown since its members were judged.
   */
  startedSinceScan(): readonly ProcessRow[] | null;

  /**
   * Returns the allow-listed environment of a process of this table, read once per identity and
   * again when its argv changed; null when it can't be read.
   */
  environment(row: ProcessRow): MarkerEnvironment | null;

  /** Same as `environment`, past every cache. */
  readEnvironment(pid: Pid): MarkerEnvironment | null;

  /** Returns the cheap part of the open files, targets of outputs; null when not readable. */
  outputs(row: ProcessRow): readonly OpenFile[] | null;

  /**
   * Returns whether the process has the file at this path open for writing as standard output or
   * error: the user's own regular file, the same by device and inode, below a base that is a folder
   * for temporary files. `orRemoved`: or the file that was there and has been removed since. False
   * where that can't be told.
   */
  holdsOutput(row: ProcessRow, path: string, base: string, orRemoved: boolean): boolean;

  /** Returns members' facts, in one call: ports, sockets and locks are read once a machine. */
  facts(rows: readonly ProcessRow[]): ReadonlyMap<number, MemberFacts>;

  /**
   * Returns the TCP and UDP ports with a listener at this moment, in Curfew's own network
   * namespace; null where the machine isn't asked. A port that one process gave up may be held by
   * another that inherited the listening socket.
   */
  portsInUse(): ReadonlySet<number> | null;

  /** Absent where a scan can't be interrupted. */
  readonly steps?: SteppedReading;
  /** Absent where what agents start can't be asked without a scan. */
  readonly glances?: Glances;
  /** Absent where namespaces and control groups are unknown. */
  readonly namespaces?: Namespaces;
  /** Absent where a single process can't be asked for its ports. */
  readonly listening?: Listening;
  /** Absent where the system has none of these. */
  readonly gaps?: Gaps;
  /** Absent where the kernel keeps no such record. */
  readonly records?: KernelRecords;

  /**
   * Begins a round of questions about the private channels of processes; each process is read once
   * in it. Absent where nothing is known of channels.
   */
  readonly channels?: () => ChannelRound;
  /** Absent where it is not told where input and output of agents lead. */
  readonly ends?: EndsProbing;
  /** Absent: connections are unknown, so everything counts as in use. */
  readonly sockets?: SocketProbing;
  /** Probes single processes, for diagnoses; absent where nothing can be read. */
  readonly probing?: Probing;
}

/** The same readings, a step for each process. */
export interface SteppedReading {
  /** Once another scan has begun, the steps of this one must not go on. */
  scanning(watched: ReadonlySet<Pid>): Steps<ProcessTable>;
  /**
   * `kept`: of a process that has not run since its facts were read those may be returned again,
   * for some scans; what is announced or ended is judged by `fresh` ones.
   */
  readingFacts(rows: readonly ProcessRow[], from: 'fresh' | 'kept'): Steps<ReadonlyMap<number, MemberFacts>>;
}

/** What can be asked of agents between two looks, cheaply. */
export interface Glances {
  /**
   * Looks for what these agents have started since the time before.
   * @throws ProcessTableUnreadable
   */
  glance(agents: readonly ProcessRef[]): Glance;
  /** Returns those of these agents that have used the processor since the time before. */
  atWork(agents: readonly ProcessRef[]): readonly ProcessRef[];
  /** Returns what a process has open to write to, and folders that it has open; the first ones. */
  written(pid: number): readonly WrittenFile[];
  /** Returns the start of the oldest thread of a process but its first, in ticks; null: none. */
  ranSince(pid: number): number | null;
  /** What was seen so, the oldest first. */
  readonly glimpses: readonly Glimpse[];
}

/** In which namespace and control groups processes are. */
export interface Namespaces {
  /** Asked of the latest table. */
  readonly namedInside: NamedInside;
  /** Returns whether it is a nested pid namespace's first process; false where that is not told. */
  isFirstInside(row: ProcessRow): boolean;
  /** Returns a process's control groups; null: unreadable. */
  controlGroups(row: ProcessRow): ControlGroups | null;
}

/** The ports of single processes. */
export interface Listening {
  /**
   * Returns the ports on which a process of this table listens; none where it can't be read.
   * `kept`: what can't have changed since it was asked is not read again.
   */
  ports(row: ProcessRow, from: 'fresh' | 'kept'): readonly number[];
  /** Whether the ports of a process are this machine's: it is in Curfew's own network namespace. */
  isShared(pid: number): boolean;
}

/** What a system keeps from its own reader. */
export interface Gaps {
  /** `apparent`: sessions are no more than what descent looks like. */
  readonly sessions: 'kept' | 'apparent';
  /**
   * Returns true where the system shows the environments of programs, and hides that of this one
   * because it is the system's own.
   */
  hidesEnvironment(row: ProcessRow): boolean;
  /**
   * Returns the processes about which the system has not answered, and may never: of those what
   * they have open is unknown.
   */
  unanswered(): readonly number[];
}

/** What the kernel recorded of processes, for the self-check. */
export interface KernelRecords {
  /** Returns the process that started another; null where it is not known. */
  parent(pid: Pid): Pid | null;
  /** Returns launchd's coalition of any process; null: untold. */
  coalition(pid: Pid): number | null;
}

export interface Glance {
  /** The numbers given out since the glance before; null: too many, or not known. */
  readonly fresh: readonly number[] | null;
  /** `began`: an agent has a new child. `returned`: the last tool shell that was seen has ended. */
  readonly call: 'began' | 'returned' | null;
}

/** A file or folder that a process has open, by a path which leads to it whatever its name is. */
export interface WrittenFile {
  readonly path: string;
  /** Equal for the same file. */
  readonly id: string;
  readonly kind: 'file' | 'folder';
}

/** No process table came: nothing may be concluded, least of all that processes ended. */
export class ProcessTableUnreadable extends SaidError {
  override readonly name = 'ProcessTableUnreadable';
  override readonly said: SaidByKey;

  constructor(said: SaidByKey, options?: ErrorOptions) {
    super(said, options);
    this.said = said;
  }
}
