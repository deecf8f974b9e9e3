import { type Pid, type RunId, cookieName, identityKey } from '../../../app/process/identity.ts';
import { hasEnded, type ProcessRow } from '../../../app/process/row.ts';
import { identityOf, type ProcessTable } from '../../../app/process/table.ts';
import type { Survey } from '../../../app/reap/target.ts';
import type { Enclosure } from '../../os/containment/service-manager.ts';
import { adoptersAmong, membersOf, ownIds, type RunMember } from './membership.ts';
import type { MembersNote } from '../record/record.ts';
import { excludedIn, RunSparer, type RunSparerOptions, type SparedMember } from './sparer.ts';

export interface RunViewOptions extends RunSparerOptions {
  readonly id: RunId;
  readonly enclosure: Enclosure | null;
  readonly strangers: boolean;
  /**
   * The kernel gives the id of a group or session to no new process as long as it has members. On
   * Windows it has neither, and an id is free as soon as its process has ended: there only the job
   * object, identities, parentage and the cookie tie a process to a run.
   */
  readonly idsAreHeld: boolean;
}

export interface RunMembers extends Survey {
  readonly table: ProcessTable;
  /** Living members, spared ones included. */
  readonly members: ReadonlyMap<Pid, RunMember>;
  readonly spared: readonly SparedMember[];
  readonly mayBeLeaving: boolean;
  /** The pids in the job object; null: there is none, or it can't be read. */
  readonly inJob: ReadonlySet<number> | null;
  /** Groups that contain, or contained, members and now contain no other living process. */
  readonly ownGroups: ReadonlySet<number>;
}

const stoppedStates: ReadonlySet<string> = new Set(['T', 't']);

export class RunView {
  readonly #options: RunViewOptions;
  #seen = new Map<number, number>();
  #groups: ReadonlySet<number> = new Set();
  #sessions: ReadonlySet<number> = new Set();
  readonly #sparer: RunSparer;

  constructor(options: RunViewOptions) {
    this.#options = options;
    this.#sparer = new RunSparer(options);
  }

  /** Adds a member: the command once it has started, or a recorded member of an abandoned run. */
  remember(pid: number, startTicks: number): void {
    this.#seen.set(pid, startTicks);
  }

  get sparer(): RunSparer {
    return this.#sparer;
  }

  /** Adds group and session ids of the run. The caller has checked that they still are its own. */
  rememberIds(groups: ReadonlySet<number>, sessions: ReadonlySet<number>): void {
    this.#groups = groups;
    this.#sessions = sessions;
  }

  /** Returns whether some children of ours are not the run's: having them proves nothing then. */
  get strangers(): boolean {
    return this.#options.strangers;
  }

  /** Returns the groups that the run's processes led at the last scan. */
  get groups(): ReadonlySet<number> {
    return this.#groups;
  }

  /**
   * Scans now.
   * @throws ProcessTableUnreadable
   */
  look(): RunMembers {
    const { source, subreaper, strangers, sinceTicks, enclosure, ancestors } = this.#options;
    const table = source.scan(new Set(this.#seen.keys() as Iterable<Pid>));
    const inside = enclosure?.pids() ?? null;
    const members = membersOf(table.rows, {
      seen: this.#seen,
      adopter: subreaper ? process.pid : null,
      strangers,
      cgroup: inside === null ? null : new Set(inside),
      groups: this.#groups,
      sessions: this.#sessions,
      hasCookie: (row) => source.environment(row)?.[cookieName] === this.#options.id,
      isAdopter: adoptersAmong(ancestors),
      // What is in the job was started in it, also where the clock was set back meanwhile.
      sinceTicks: this.#options.idsAreHeld ? sinceTicks : 0,
      excluded: excludedIn(table),
    });
    if (this.#options.idsAreHeld) {
      this.#groups = ownIds(table.rows, members, this.#groups, (row) => row.pgid);
      this.#sessions = ownIds(table.rows, members, this.#sessions, (row) => row.sid);
    }
    this.#seen = new Map([...members.values()].map(({ row }) => [row.pid, row.startTicks]));
    const inJob = this.#options.idsAreHeld || inside === null ? null : new Set(inside);
    return { ...this.#livingOf(table, members), inJob };
  }

  /** Returns whether it is still what the scan saw: program and session. Bypasses all caches. */
  isAsSeen(row: ProcessRow): boolean {
    const now = this.#options.source.read(row.pid);
    return (
      now !== null &&
      now.startTicks === row.startTicks &&
      now.sid === row.sid &&
      now.uid === row.uid &&
      now.comm === row.comm &&
      now.argv.length === row.argv.length &&
      now.argv.every((word, at) => word === row.argv[at])
    );
  }

  /** Returns whether a process may have joined this group since the last scan. */
  mayHaveGrown(pgid: number): boolean {
    const started = this.#options.source.startedSinceScan();
    return started?.some((row) => Number(row.pgid) === pgid) !== false;
  }

  /** Returns what is recorded in case this process is killed. */
  note(found: RunMembers): MembersNote {
    const { below, kept } = this.#sparer.memory;
    return {
      members: [...found.members.values()].map(({ row }) => {
        const origin = below.get(row.pid)?.origin;
        return {
          pid: row.pid,
          startTicks: row.startTicks,
          pgid: row.pgid,
          sid: row.sid,
          ...(origin === undefined ? {} : { spared: origin }),
          ...(kept.has(row.pid) ? { kept: true } : {}),
        };
      }),
    };
  }

  #livingOf(table: ProcessTable, all: ReadonlyMap<Pid, RunMember>): Omit<RunMembers, 'inJob'> {
    const members = new Map([...all].filter(([, { row }]) => !hasEnded(row)));
    const sparings = this.#sparer.judge(table, members);
    this.#options.enclosure?.endsWithUs?.(sparings.spared.length === 0);
    const living: Survey['living'][number][] = [];
    for (const { row } of members.values()) {
      if (!sparings.pids.has(row.pid))
        living.push({
          key: identityKey(identityOf(table, row)),
          pid: row.pid,
          pgid: row.pgid,
          stopped: stoppedStates.has(row.state),
          runnable: row.state === 'R',
          vetoes: [],
        });
    }
    const targets = new Set(living.map(({ pid }) => pid));
    const sharedGroups = new Set<number>();
    for (const row of table.rows.values()) if (!targets.has(row.pid) && !hasEnded(row)) sharedGroups.add(row.pgid);
    const ownGroups = new Set(
      [...all.values()].map(({ row }) => Number(row.pgid)).filter((group) => !sharedGroups.has(group)),
    );
    return {
      table,
      members,
      spared: sparings.spared,
      mayBeLeaving: sparings.mayBeLeaving,
      living,
      sharedGroups,
      ownGroups,
      overlooked: (table.missed ?? 0) === 0 ? 'none' : 'maybe',
    };
  }
}
