import { say } from '../../../app/text/say.ts';
import type { PossibleClient } from '../../../app/jobs/measure/clients.ts';
import { isStillAbandoned } from '../../../app/jobs/measure/still-abandoned.ts';
import type { Job } from '../../../app/model/job.ts';
import type { ChannelRound } from '../../../app/process/channels.ts';
import type { MarkerEnvironment, MemberFacts, OpenFile } from '../../../app/process/facts.ts';
import { type BootId, type Pid, type ProcessIdentity, asBootId, asPid } from '../../../app/process/identity.ts';
import type { BegunBy } from '../../../app/process/named-inside.ts';
import { type ProcessRow, hasEnded } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { parentsOf } from '../../../app/process/tree.ts';
import type { RemoteHead } from '../../../app/remote/head.ts';
import { type LsofFacts, lsofFactsIn, servedAsLsofTells } from '../darwin/ps/lsof.ts';
import type { BuildProcess } from '../linux/facts/shared-by-name.ts';
import { memoryIn, namelessPipe, terminal } from '../linux/probe/sharers.ts';
import { type Company, takenAlongIn } from '../linux/probe/taken-along.ts';
import { DisplayReader } from '../linux/sockets/displays.ts';
import { servedOf } from '../linux/sockets/serving.ts';
import type { AskedProcess, EndsProbing, SocketProbing } from '../processes/probing.ts';
import { sameRow } from '../processes/same-row.ts';
import { type Shared, sharersAmong } from '../processes/sharers.ts';
import { type Namespaces, type ProcessSource, ProcessTableUnreadable } from '../processes/source.ts';
import { RemoteChannels, type RemoteEndsInput, farEndsIn, recordedFarSides, remoteEndsProbing } from './channels.ts';
import type { Observation } from './observation.ts';
import { type ObservedProcess, hasEndedSince } from './observed-process.ts';
import { psTicksPerSecond } from './ps-way.ts';
import { remoteControlGroups, remoteEnvironment, remoteFacts, remoteFiles, remoteRow, startTicksIn } from './rows.ts';
import { RemoteWorld, exchangeSeen, placesIn } from './world.ts';

/** What the ends of an abandoned server are read from: one answer. */
export interface AbandonedEndsInput {
  readonly rows: ReadonlyMap<Pid, ProcessRow>;
  readonly channels: RemoteChannels;
  readonly clientsOf: (row: ProcessRow) => readonly PossibleClient[];
}

/** No sockets and pipes of a process read like this, so a signal is not confirmed. */
const spokenTo = 'spoken to';

/**
 * Returns what reads the sockets and pipes of a process of an abandoned server, for a signal to be
 * confirmed by over there. A process that another one may speak to gives what confirms nothing.
 */
const abandonedEnds =
  ({ rows, channels, clientsOf }: AbandonedEndsInput, job: Pick<Job, 'members'>) =>
  (pid: Pid): string => {
    const row = rows.get(pid);
    if (row === undefined) return spokenTo;
    const isLeft = isStillAbandoned(row, { job, rows, round: channels, clients: clientsOf(row) });
    return (isLeft ? channels.evidence(pid) : null) ?? spokenTo;
  };

/** How long a machine was suspended in this boot, and at what look that was told; in its ticks. */
interface Suspended {
  readonly atTicks: number;
  readonly ticks: number;
}

const justBooted: Suspended = { atTicks: 0, ticks: 0 };

/**
 * Returns how long a machine was suspended in this boot; what an earlier look told, where the
 * difference is explained otherwise: the script reads the two clocks up to half a minute apart, and
 * the scheduler's may run faster or slower than the other one (500 parts in a million is what
 * adjtimex(2) corrects at most). A virtual machine with two processors told 68.1 and 68.8 s by
 * turns after 16.5 h, and looks of unlike length made that look like sleep between them. Null where
 * the machine does not tell: then only what was observed counts.
 */
const suspendedAt = ({ awake, ticks }: RemoteHead, nowTicks: number, before: Suspended): Suspended | null => {
  if (awake === null) return null;
  if (awake === 'always') return justBooted;
  const told = Math.max(0, Math.round(nowTicks - (awake / 1000) * ticks));
  const tolerance = 30 * ticks + (nowTicks - before.atTicks) / 2000;
  return Math.abs(told - before.ticks) <= tolerance ? before : { atTicks: nowTicks, ticks: told };
};

/**
 * Returns what is known of the clock of a machine. ps tells start times by the wall clock, which
 * can be set there: then what passed between two looks is measured here.
 */
const remoteClock = (
  head: RemoteHead,
  suspended: Suspended | null,
): Pick<ProcessTable, 'suspendedTicks' | 'clockIsSet'> => {
  if (head.way === 'procfs') return { suspendedTicks: suspended?.ticks ?? null };
  return { ...(head.awake === 'always' ? {} : { suspendedTicks: null }), clockIsSet: true };
};

/** Another machine's boot in our form, as its ssh server's pid namespace sees it. */
export const remoteBootId = (head: RemoteHead): BootId =>
  asBootId(`${head.boot}/${head.namespace === '' ? 'unknown' : head.namespace}`);

/** Some, the script's own too, end before being read; if more are missing, some answer is lost. */
const maxMissing = (listed: number): number => 16 + listed / 5;

const unasked: ChannelRound = { of: () => null, ends: () => null, ownEnds: () => null };
const unseen: PossibleClient = { by: 'unknown', at: 'it was not looked at yet', from: null, peers: null };

interface Seen {
  readonly table: ProcessTable;
  readonly processes: ReadonlyMap<number, ObservedProcess>;
  readonly inside: Observation['inside'];
  readonly tracing: Observation['tracing'];
  readonly world: RemoteWorld;
  readonly channels: RemoteChannels;
  readonly ends: RemoteEndsInput;
  /** Where lsof tells of open files, and nothing else does; null elsewhere. */
  readonly held: ReadonlyMap<number, LsofFacts> | null;
  readonly switches: ReadonlyMap<number, number>;
}

/** Facts are kept by row, so a process with another environment (an exec) gets a new row. */
const sameEnvironment = (before: ObservedProcess | undefined, now: ObservedProcess): boolean =>
  before !== undefined &&
  before.environmentReadable === now.environmentReadable &&
  before.rewritten === now.rewritten &&
  before.environment.length === now.environment.length &&
  before.environment.every((entry, at) => entry === now.environment[at]);

/**
 * The process table of another machine: what its latest answer said, and never more. `read` and
 * `readEnvironment` read that answer, too; what is about to be signalled is confirmed over there,
 * by the script that signals it.
 */
export class RemoteSource implements ProcessSource {
  readonly name = 'ssh';
  readonly canReap = true;
  readonly refresh = null;
  readonly bootId: BootId;
  readonly pidNamespace: string | null;
  readonly #names: ReadonlySet<string>;
  readonly #head: RemoteHead;
  #seen: Seen | null = null;
  #suspended = justBooted;
  #cgroups: MemberFacts['cgroups'] = null;
  #environments = new WeakMap<ProcessRow, MarkerEnvironment>();
  readonly #displays = new DisplayReader();

  /** Where /proc is read: ps tells nothing of what files lead to. */
  readonly channels?: () => ChannelRound;
  /** The same. */
  readonly ends?: EndsProbing;

  /** @param names the allow-list of environment variables */
  constructor(head: RemoteHead, names: ReadonlySet<string>) {
    this.#head = head;
    this.#names = names;
    this.bootId = remoteBootId(head);
    this.pidNamespace = head.namespace === '' ? null : head.namespace;
    if (head.way !== 'procfs') return;
    this.channels = () => this.#seen?.channels ?? unasked;
    this.ends = remoteEndsProbing(() => this.#seen?.ends ?? null);
  }

  get cgroups(): MemberFacts['cgroups'] {
    return this.#cgroups;
  }

  /**
   * Takes the next answer over; `scan` gives it from then on. Throws ProcessTableUnreadable when it
   * is no process table, and then still has the one before.
   * @param takenAtMs wall clock of this machine, milliseconds
   */
  take(observation: Observation, takenAtMs: number): void {
    const { head, processes } = observation;
    const rows = new Map<Pid, ProcessRow>();
    const before = this.#seen?.table.rows;
    for (const process of processes.values()) {
      const read = remoteRow(process, head);
      if (read === null) continue;
      const known = before?.get(read.pid);
      const same =
        known !== undefined && sameRow(known, read) && sameEnvironment(this.#seen?.processes.get(read.pid), process);
      rows.set(read.pid, same ? known : read);
    }
    const nowTicks = startTicksIn(observation.nowStat);
    const listed = [...processes.values()].filter(({ uid }) => uid !== null).length;
    if (listed - rows.size > maxMissing(listed))
      throw new ProcessTableUnreadable(
        say('it lists {listed} processes and describes only {described} of them', { listed, described: rows.size }),
      );
    if (!rows.has(asPid(head.self)) || nowTicks === null)
      throw new ProcessTableUnreadable(
        say('it does not show the very shell that answers, so what it shows is not the whole process table'),
      );
    // Those that came after the shell that answers may be the script's own.
    const missed = [...processes.values()].filter(
      ({ pid, uid }) => uid !== null && pid < head.self && !rows.has(asPid(pid)),
    ).length;
    this.#cgroups = remoteControlGroups(processes.get(head.self) ?? null);
    const world = new RemoteWorld(observation, () => rows.values());
    const observed = (pid: number): ObservedProcess | null => {
      const row = seen.table.rows.get(asPid(pid));
      return row === undefined ? null : observedIn(seen, row.pid, row.startTicks);
    };
    const ends = farEndsIn(observation.peers, observation.polls);
    const tools = recordedFarSides({ observed, all: () => processes.values(), ends, world });
    const channels = new RemoteChannels(tools, observed);
    const suspended = suspendedAt(head, nowTicks, this.#suspended);
    this.#suspended = suspended ?? this.#suspended;
    const seen: Seen = {
      channels,
      ends: { observed, ends, tools, channels },
      processes,
      inside: observation.inside,
      tracing: observation.tracing,
      held: head.way === 'ps' ? lsofFactsIn(observation.lsof) : null,
      world,
      switches: observation.switches,
      table: {
        bootId: this.bootId,
        takenAtMs,
        nowTicks,
        ...remoteClock(head, suspended),
        ticksPerSecond: head.way === 'ps' ? psTicksPerSecond : head.ticks,
        uid: head.uid,
        rows,
        complete: rows.has(asPid(1)),
        missed,
      },
    };
    this.#seen = seen;
  }

  scan(): ProcessTable {
    if (this.#seen === null) throw new ProcessTableUnreadable(say('it was not looked at yet'));
    return this.#seen.table;
  }

  read(pid: Pid): ProcessRow | null {
    return this.#seen?.table.rows.get(pid) ?? null;
  }

  /** What its script signals as a group, it confirms over there. */
  startedSinceScan(): null {
    return null;
  }

  environment(row: ProcessRow): MarkerEnvironment | null {
    const known = this.#environments.get(row);
    if (known !== undefined) return known;
    const process = this.#observed(row);
    const environment = process === null ? null : remoteEnvironment(process, this.#names);
    if (environment !== null) this.#environments.set(row, environment);
    return environment;
  }

  readEnvironment(pid: Pid): MarkerEnvironment | null {
    const row = this.read(pid);
    return row === null ? null : this.environment(row);
  }

  readonly namespaces: Namespaces = {
    namedInside: (pid, begun) => this.#namedInside(pid, begun),
    isFirstInside: () => false,
    controlGroups: (row) => remoteControlGroups(this.#observed(row)),
  };

  #namedInside(pid: Pid, begun?: BegunBy): Pid | null {
    for (const [outside, pids] of this.#seen?.inside ?? []) {
      const row = this.read(asPid(outside));
      // Its time namespace is not told.
      const isLater = row !== null && begun !== undefined && begun.byItself !== true && row.startTicks > begun.ticks;
      if (row !== null && !hasEnded(row) && pids.includes(pid) && !isLater) return row.pid;
    }
    return null;
  }

  outputs(row: ProcessRow): readonly OpenFile[] | null {
    const process = this.#observed(row);
    return process === null ? null : (remoteFiles(process)?.filter(({ fd }) => fd === 1 || fd === 2) ?? null);
  }

  /** See `ProcessSource`. Of the folders for temporary files over there only /tmp is known. */
  holdsOutput(row: ProcessRow, path: string, base: string): boolean {
    const process = this.#observed(row);
    if (process === null || process.uid !== this.#head.uid || base !== '/tmp') return false;
    return [1, 2].some((fd) => {
      const link = process.links.get(`fd/${fd}`);
      const access = process.access.get(fd);
      const isHere = link?.target === path && !link.deleted && process.held.has(fd);
      return isHere && path.startsWith('/tmp/') && (access === 'write' || access === 'both');
    });
  }

  facts(rows: readonly ProcessRow[]): ReadonlyMap<number, MemberFacts> {
    const facts = new Map<number, MemberFacts>();
    const listening = this.#seen?.world.listening ?? new Map<string, number>();
    for (const row of rows) {
      const process = this.#observed(row);
      if (process === null) continue;
      const above = (): Iterable<BuildProcess> => this.#withAbove(row);
      const fact = remoteFacts(process, { head: this.#head, listening, names: this.#names, above });
      facts.set(row.pid, { ...fact, ...placesIn(this.#seen?.world ?? null, this.#displays, row.pid, fact) });
    }
    return facts;
  }

  *#withAbove(row: ProcessRow): Generator<BuildProcess> {
    for (const one of [row, ...parentsOf(row, this.#seen?.table.rows ?? new Map())]) {
      const process = this.#observed(one);
      if (process === null) return;
      yield { name: one.comm, files: remoteFiles(process) ?? [], access: (fd) => process.access.get(fd) ?? null };
    }
  }

  /**
   * Reads processes of the answer that is the latest now, also when there are later ones: as they
   * came, and null for a pid that was another process before or after, or is not that process.
   */
  reader(): (identity: ProcessIdentity) => ObservedProcess | null {
    const seen = this.#seen;
    return ({ bootId, pid, startTicks }) =>
      seen !== null && bootId === this.bootId ? observedIn(seen, pid, startTicks) : null;
  }

  /** See `abandonedEnds`. As of the latest answer. */
  abandonedEnds(job: Pick<Job, 'members'>): (pid: Pid) => string {
    const { table, channels } = this.#seen ?? { table: null, channels: null };
    if (table === null || channels === null) throw new ProcessTableUnreadable(say('it was not looked at yet'));
    const clientsOf = (row: ProcessRow): readonly PossibleClient[] => {
      const { openFiles = null, ports = [] } = this.facts([row]).get(row.pid) ?? {};
      return this.#servedOf({ pid: row.pid, files: openFiles, ports: new Set(ports) });
    };
    return abandonedEnds({ rows: table.rows, channels, clientsOf }, job);
  }

  /** Those of the network namespace of the shell that answered last. */
  portsInUse(): ReadonlySet<number> {
    return new Set(this.#seen?.world.listening.values());
  }

  /** What the latest answer says of sockets. */
  readonly sockets: SocketProbing = {
    possibleClients: (processes, ways) => processes.map((one) => this.#servedOf(one, ways)),
    exchanges: (jobs) => jobs.map((processes) => exchangeSeen(this.#seen, processes)),
    takenAlong: () => takenAlongIn(companySeen(this.#seen)),
    sharers: (jobs, all) =>
      sharersAmong(
        jobs,
        all,
        (pid) => sharedSeen(this.#seen?.processes.get(pid), this.read(asPid(pid))),
        (pid) => this.#seen?.table.rows.get(asPid(pid))?.startTicks ?? null,
      ).clients,
  };

  #servedOf(one: AskedProcess, ways?: 'served' | 'any'): readonly PossibleClient[] {
    if (this.#seen === null) return [unseen];
    const { held, world } = this.#seen;
    if (held === null && one.files === null && hasEndedSince(this.#seen.processes.get(one.pid))) return [];
    if (held === null) return servedOf(one, world, ways);
    const { openFiles = null, ports = [] } = held.get(one.pid) ?? {};
    return servedAsLsofTells({ pid: one.pid, files: openFiles, ports: new Set([...one.ports, ...ports]) });
  }

  #observed(row: ProcessRow): ObservedProcess | null {
    return this.#seen === null ? null : observedIn(this.#seen, row.pid, row.startTicks);
  }
}

const sharedSeen = (process: ObservedProcess | undefined, row: ProcessRow | null): ReadonlyMap<string, Shared> => {
  const found = new Map<string, Shared>(memoryIn(process?.memory ?? '', () => row ?? { comm: '', argv: [] }));
  for (const [link, { target }] of process?.links ?? []) {
    const fd = link.startsWith('fd/') ? Number(link.slice(3)) : null;
    if (fd !== null && target.startsWith('/') && process?.pipes.has(fd) === true)
      found.set(`pipe ${target}`, { by: 'pipe', at: target, writes: true });
    if (fd !== null && target.startsWith('pipe:')) found.set(...namelessPipe(target));
    const slave = /^\/dev\/pts\/(\d+)$/u.exec(target)?.[1];
    if (slave !== undefined) found.set(...terminal(Number(slave)));
  }
  for (const number of process?.masters.values() ?? []) found.set(...terminal(number));
  return found;
};

/** What the latest answer says of living processes, for what the kernel would end with one. */
const companySeen = (seen: Seen | null): readonly Company[] =>
  [...(seen?.table.rows.values() ?? [])].flatMap((row): readonly Company[] => {
    if (seen === null || hasEnded(row)) return [];
    const process = seen.processes.get(row.pid);
    const tracer = process?.tracer ?? null;
    return [
      {
        pid: row.pid,
        ppid: row.ppid,
        inner: seen.inside.get(row.pid) ?? [],
        tracers: tracer === null ? [] : [seen.tracing.get(tracer) ?? tracer],
        namespace: process?.links.get('ns/pid')?.target ?? null,
      },
    ];
  });

const observedIn = ({ table, processes }: Seen, pid: Pid, startTicks: number): ObservedProcess | null => {
  const process = processes.get(pid);
  if (process?.startAfter == null || table.rows.get(pid)?.startTicks !== startTicks) return null;
  return startTicksIn(process.startAfter) === startTicks ? process : null;
};
