import { isAdopter } from '../../../app/jobs/lineage/adopter.ts';
import { identityKey, type Pid } from '../../../app/process/identity.ts';
import { hasEnded, type ProcessRow } from '../../../app/process/row.ts';
import { identityOf, type ProcessTable } from '../../../app/process/table.ts';
import type { Survey } from '../../../app/reap/target.ts';
import type { RunCgroup } from '../../os/linux/control/cgroup.ts';
import { membersOf, ownIds, type RunMember } from './membership.ts';
import type { RunSighting } from '../record/record.ts';
import { excludedIn, RunSparer, type RunSparerOptions, type SparedMember } from './sparer.ts';
import { cookieName, type RunId } from '../../../app/process/run-id.ts';

/** What a run is looked at with. */
export interface RunViewOptions extends RunSparerOptions {
  readonly id: RunId;
  readonly cgroup: RunCgroup | null;
  /** See `RunTies.strangers`. */
  readonly strangers: boolean;
}

/** One look at a run. */
export interface RunSight extends Survey {
  readonly table: ProcessTable;
  /** Living members, spared ones included. */
  readonly members: ReadonlyMap<Pid, RunMember>;
  readonly spared: readonly SparedMember[];
  /** See `RunSparings.mayBeLeaving`. */
  readonly mayBeLeaving: boolean;
  /** Groups in which members are or have ended and nobody else lives. */
  readonly ownGroups: ReadonlySet<number>;
}

const stoppedStates: ReadonlySet<string> = new Set(['T', 't']);

/** Looks at one run again and again, and remembers who belonged to it. */
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

  /** Says that this process belongs to the run: the command, once it is started; those who were noted, for a run whose supervisor is gone. */
  remember(pid: number, startTicks: number): void {
    this.#seen.set(pid, startTicks);
  }

  /** See `RunSparer`. */
  get sparer(): RunSparer {
    return this.#sparer;
  }

  /** Says that these ids were the run's own. The caller has made sure that they still are. */
  rememberIds(groups: ReadonlySet<number>, sessions: ReadonlySet<number>): void {
    this.#groups = groups;
    this.#sessions = sessions;
  }

  /** True when our own children include some that are no part of the run, so that having children proves nothing. */
  get strangers(): boolean {
    return this.#options.strangers;
  }

  /** Groups that the run's processes led at the last look. */
  get groups(): ReadonlySet<number> {
    return this.#groups;
  }

  /** Looks now. Throws ProcessTableUnreadable. */
  look(): RunSight {
    const { source, subreaper, strangers, sinceTicks, cgroup, ancestors } = this.#options;
    const table = source.scan(new Set(this.#seen.keys() as Iterable<Pid>));
    const inside = cgroup?.pids() ?? null;
    const members = membersOf(table.rows, {
      seen: this.#seen,
      adopter: subreaper ? process.pid : null,
      strangers,
      cgroup: inside === null ? null : new Set(inside),
      groups: this.#groups,
      sessions: this.#sessions,
      hasCookie: (row) => source.environment(row)?.[cookieName] === this.#options.id,
      isAdopter: (row) =>
        isAdopter(row) || ancestors.some((one) => one.pid === row.pid && one.startTicks === row.startTicks),
      sinceTicks,
      excluded: excludedIn(table),
    });
    this.#groups = ownIds(table.rows, members, this.#groups, (row) => row.pgid);
    this.#sessions = ownIds(table.rows, members, this.#sessions, (row) => row.sid);
    this.#seen = new Map([...members.values()].map(({ row }) => [row.pid, row.startTicks]));
    return this.#sight(table, members);
  }

  /** True while a process is what the look saw: the same program in the same kernel session. Read past every cache. */
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

  /** True where a process may have joined this group since the last look. */
  mayHaveGrown(pgid: number): boolean {
    const started = this.#options.source.startedSinceScan?.();
    return started?.some((row) => Number(row.pgid) === pgid) !== false;
  }

  /** What is noted for the case that this process is killed. */
  sighting(sight: RunSight): RunSighting {
    const { below, kept } = this.#sparer.memory;
    return {
      members: [...sight.members.values()].map(({ row }) => {
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

  #sight(table: ProcessTable, all: ReadonlyMap<Pid, RunMember>): RunSight {
    const members = new Map([...all].filter(([, { row }]) => !hasEnded(row)));
    const sparings = this.#sparer.judge(table, members);
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
