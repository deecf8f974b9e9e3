import { isAdopter } from '../../app/jobs/adopter.ts';
import { keepMarkerName } from '../../app/judge/vetoes/keep-marker.ts';
import { identityKey, type Pid } from '../../app/process/identity.ts';
import { hasEnded, type ProcessRow } from '../../app/process/row.ts';
import { identityOf, type ProcessTable } from '../../app/process/table.ts';
import { processTree } from '../../app/process/tree.ts';
import type { Sight } from '../../app/reap/target.ts';
import type { RunCgroup } from '../os/linux/cgroup.ts';
import type { ProcessSource } from '../os/source.ts';
import { membersOf, ownIds, type RunMember } from './membership.ts';
import type { RunSighting } from './record.ts';
import { cookieName, type RunId } from './run-id.ts';

/** What a run is looked at with. */
export interface RunViewOptions {
  readonly source: ProcessSource;
  readonly id: RunId;
  /** True where this process is the subreaper of everything that the run started. */
  readonly subreaper: boolean;
  readonly cgroup: RunCgroup | null;
  readonly keepInherited: boolean;
  /** Nothing that started before belongs to the run, ticks. */
  readonly sinceTicks: number;
  /** See `RunTies.strangers`. */
  readonly strangers: boolean;
  /** What had started `curfew run`: who may adopt what it leaves. */
  readonly ancestors: readonly { readonly pid: number; readonly startTicks: number }[];
  /** The user of the run; nobody else's processes are signalled. */
  readonly uid: number;
}

/** A process of the run that is left alone. */
export interface SparedMember {
  readonly pid: number;
  readonly why: string;
}

/** One look at a run. */
export interface RunSight extends Sight {
  readonly table: ProcessTable;
  /** Living members, spared ones included. */
  readonly members: ReadonlyMap<Pid, RunMember>;
  readonly spared: readonly SparedMember[];
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
  /** Processes that were seen carrying CURFEW_KEEP=1, by pid and start. */
  readonly #kept = new Set<string>();

  constructor(options: RunViewOptions) {
    this.#options = options;
  }

  /** Says that this process belongs to the run: the command, once it is started; those who were noted, for a run whose supervisor is gone. */
  remember(pid: number, startTicks: number): void {
    this.#seen.set(pid, startTicks);
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

  /** What is noted for the case that this process is killed. */
  sighting(sight: RunSight): RunSighting {
    return {
      members: [...sight.members.values()].map(({ row }) => ({
        pid: row.pid,
        startTicks: row.startTicks,
        pgid: row.pgid,
        sid: row.sid,
      })),
    };
  }

  #sight(table: ProcessTable, all: ReadonlyMap<Pid, RunMember>): RunSight {
    const members = new Map([...all].filter(([, { row }]) => !hasEnded(row)));
    const spared: SparedMember[] = [];
    const living: Sight['living'][number][] = [];
    for (const { row } of members.values()) {
      const why = this.#reasonToSpare(row);
      if (why !== null) spared.push({ pid: row.pid, why });
      else
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
      spared,
      living,
      sharedGroups,
      ownGroups,
      overlooked: (table.missed ?? 0) === 0 ? 'nobody' : 'maybe',
    };
  }

  /** What holds even against the person's own limits: other people's processes, and what was marked to be kept. */
  #reasonToSpare(row: ProcessRow): string | null {
    const { uid, keepInherited, source } = this.#options;
    if (row.uid !== uid)
      return row.uid === null ? 'the system does not say whose it is' : `it belongs to user ${row.uid}`;
    if (keepInherited) return null;
    const key = `${row.pid}:${row.startTicks}`;
    // Programs overwrite their environment: the mark once seen counts for ever.
    if (source.environment(row)?.[keepMarkerName] === '1') this.#kept.add(key);
    if (this.#kept.has(key)) return `it carries ${keepMarkerName}=1`;
    return null;
  }
}

const excludedIn = (table: ProcessTable): ReadonlySet<number> => {
  const self = process.pid as Pid;
  return new Set([
    self,
    ...processTree(table.rows)
      .ancestors(self)
      .map((row) => row.pid),
  ]);
};
