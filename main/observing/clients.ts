import type { Exchange } from '../../app/jobs/measure/activity.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import { type ConnectedJob, type PossibleClient, clientsOf } from '../../app/jobs/measure/clients.ts';
import type { Client, Job, JobId } from '../../app/model/job.ts';
import { hasNoOwnerLeft } from '../../app/judge/endable.ts';
import { isUnseen } from '../../app/programs/browser.ts';
import { showsElsewhere } from '../../app/programs/viewed-display.ts';
import { worksElsewhere } from '../../app/programs/works-elsewhere.ts';
import { programOf } from '../../app/programs/program.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import { type ProcessRow, hasEnded } from '../../app/process/row.ts';
import { awakeSeconds, type ProcessTable } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { AskedProcess, SocketProbing } from '../os/processes/probing.ts';

const socketsOf = (facts: MemberFacts | undefined): readonly string[] =>
  (facts?.openFiles ?? []).flatMap(({ target }) => /^socket:\[(\d+)\]$/u.exec(target)?.[1] ?? []);

type Read = ReadonlyMap<number, MemberFacts>;

const socketsOfJob = ({ members }: Pick<Draft, 'members'>, facts: Read): ReadonlySet<string> =>
  new Set(members.flatMap(({ row }) => socketsOf(facts.get(row.pid))));

/** The windows of a browser without any are no user's; see the veto of windows. */
const windowsOf = (members: Draft['members'], facts: Read): readonly PossibleClient[] =>
  members.flatMap(({ row }) => {
    const fact = facts.get(row.pid);
    return isUnseen(programOf(row, fact))
      ? []
      : (fact?.displays ?? []).map(({ at, peer }): PossibleClient => ({
          by: 'display',
          at,
          from: null,
          peers: peer === null ? null : [peer],
        }));
  });

/** Why nothing is known where nothing can be looked into. */
const blind: PossibleClient = {
  by: 'unknown',
  at: 'what it is connected to can not be seen from here',
  from: null,
  peers: null,
};

export interface UsableJob {
  readonly job: Pick<Job, 'id' | 'members' | 'facts' | 'owner' | 'run' | 'ageSeconds'>;
  readonly ends: ConnectedJob['ends'];
  /** It is kept, exempt or protected. */
  readonly spared: boolean;
}

export interface UseReading {
  readonly probing: Pick<SocketProbing, 'possibleClients' | 'sharers'> | undefined;
  readonly table: ProcessTable;
  readonly settings: Settings;
  /** Facts of a process that is no member of a job: the agent that a job belongs to. */
  readonly factsOf: (row: ProcessRow) => MemberFacts | undefined;
  /** How long a connection counts that has been closed. */
  readonly graceSeconds: number;
  /** When a closed connection to a job was seen last, in ticks; written, too. */
  readonly recent: Map<JobId, number>;
}

export interface Uses {
  readonly kept: ReadonlyMap<JobId, Client>;
  /** What will be ended too, but not at this look. */
  readonly awaited: ReadonlyMap<JobId, Client>;
  /** Leftovers that no process uses but other leftovers, whenever they are ended. */
  readonly useless: () => ReadonlySet<JobId>;
}

const nothingUsed: Uses = { kept: new Map(), awaited: new Map(), useless: () => new Set() };

/**
 * Whether the agent that a job belongs to holds the other end of such a pair. The shell of Claude
 * Code keeps the socket that it got as standard input as descriptor 10, since its command's input
 * is redirected (2.1.330, observed).
 */
const leadsToOwner = (
  { owner }: UsableJob['job'],
  { isPair, peers }: PossibleClient,
  { table, factsOf }: UseReading,
): boolean => {
  if (isPair !== true || owner.state !== 'live' || owner.process === null) return false;
  const row = table.rows.get(owner.process.pid);
  if (row?.startTicks !== owner.process.startTicks) return false;
  const held = new Set(socketsOf(factsOf(row)));
  return peers !== null && peers.length > 0 && peers.every((inode) => held.has(inode));
};

/** Those of a job that count: its own agent at the end of a private channel is no client. */
const countingOf = ({ job }: UsableJob, found: readonly PossibleClient[], reading: UseReading) => {
  const { table, recent, graceSeconds } = reading;
  const counts = found.filter(
    (one) =>
      one.agoSeconds === undefined &&
      !(one.standard === true && job.owner.state === 'live') &&
      !leadsToOwner(job, one, reading),
  );
  const closed = found.find(({ agoSeconds = Infinity }) => agoSeconds <= graceSeconds && graceSeconds > 0);
  if (closed !== undefined) {
    recent.set(job.id, table.nowTicks - (closed.agoSeconds ?? 0) * table.ticksPerSecond);
    return [...counts, closed];
  }
  const atTicks = recent.get(job.id);
  if (atTicks === undefined || awakeSeconds(table, atTicks) > graceSeconds) return counts;
  const ports = job.members.flatMap(({ row }) => job.facts.get(row.pid)?.ports ?? []);
  return [...counts, { by: 'recent', at: `port ${ports.join(', ')}`, from: null, peers: null } as const];
};

/**
 * What uses the jobs of a look: those whose session has ended, those that would be ended, and those
 * near the hard cap. Others are not asked about, so that an ordinary look costs nothing; what jobs
 * share besides sockets is read only of what would be ended. Throws ProcessTableUnreadable.
 * @param jobs every job of the look, by which it is told what agents started
 */
export const readUses = (jobs: readonly UsableJob[], reading: UseReading): Uses => {
  const { probing, table, settings } = reading;
  const nearCap = settings.backgroundMaxElapsedSecondsHardCap - settings.noticeSeconds;
  const asked = jobs.filter(
    ({ job, ends }) =>
      job.run === undefined && (ends !== 'not' || hasNoOwnerLeft({ job }) || job.ageSeconds >= nearCap),
  );
  if (asked.length === 0) return nothingUsed;
  const processes = asked.map(({ job: { members, facts } }): readonly AskedProcess[] => {
    // What has no facts ended since the table was read: one that lives has some, though they may
    // say that nothing could be read.
    const own = members.flatMap(({ row }) => {
      const fact = facts.get(row.pid);
      return fact === undefined ? [] : [{ pid: row.pid, fact }];
    });
    const ports = new Set(own.flatMap(({ fact }) => fact.ports));
    return own.map(({ pid, fact }) => ({ pid, files: fact.openFiles, ports }));
  });
  const connected = probing?.possibleClients(processes.flat(), 'any').values();
  const found = processes.map((own) => own.flatMap(() => connected?.next().value ?? [blind]));
  const pidsOf = ({ job }: UsableJob): ReadonlySet<number> => new Set(job.members.map(({ row }) => Number(row.pid)));
  const searched = asked.flatMap((one, index) =>
    one.ends === 'not' || processes[index]?.length === 0 ? [] : [{ one, pids: pidsOf(one) }],
  );
  const all = searched.length === 0 ? [] : [...table.rows.values()].filter(isUserProgram).map(({ pid }) => Number(pid));
  const shared = probing?.sharers(
    searched.map(({ pids }) => pids),
    all,
  );
  const describe = (one: UsableJob, possibleClients: readonly PossibleClient[]): ConnectedJob => ({
    id: one.job.id,
    ends: one.ends,
    sockets: socketsOfJob(one.job, one.job.facts),
    pids: pidsOf(one),
    possibleClients,
  });
  const described = asked.map((one, index) => {
    const sharers = shared?.[searched.findIndex((other) => other.one === one)] ?? [];
    const windows = windowsOf(one.job.members, one.job.facts);
    return describe(one, [...countingOf(one, found[index] ?? [], reading), ...sharers, ...windows]);
  });
  const agents = jobs.filter(({ job }) => job.run === undefined).map((one) => describe(one, []));
  const kept = clientsOf(described, 'told', agents);
  const now = clientsOf(described, 'now', agents);
  const isLeft = ({ job, spared }: UsableJob): boolean => hasNoOwnerLeft({ job }) && !spared;
  return {
    kept,
    awaited: new Map([...now].filter(([id]) => !kept.has(id))),
    useless: () => {
      const left = described.map((one, index): ConnectedJob => {
        const subject = asked[index];
        return { ...one, ends: subject !== undefined && isLeft(subject) ? 'now' : 'not' };
      });
      const used = clientsOf(left, 'now');
      return new Set(left.flatMap(({ id, ends }) => (ends === 'now' && !used.has(id) ? [id] : [])));
    },
  };
};

/** Other programs than threads of the kernel and what has ended. */
const isUserProgram = (row: ProcessRow): boolean => !row.kernelThread && !hasEnded(row);

/**
 * For the veto about windows: sockets of a job, and of leftovers that are of no use to any process.
 * undefined where no process is connected to a display, which is the ordinary case.
 */
export const harmlessSockets = (
  jobs: readonly Pick<Job, 'id' | 'members' | 'facts'>[],
  useless: (id: JobId) => boolean,
): ((members: Draft['members']) => ReadonlySet<string>) | undefined => {
  const facts = new Map(jobs.flatMap((job) => [...job.facts]));
  if (![...facts.values()].some(({ displays }) => displays !== undefined && displays.length > 0)) return undefined;
  // A viewer could reach the display of such a job at any time.
  const isHidden = (members: Draft['members']): boolean =>
    !members.some(({ row }) => showsElsewhere(programOf(row), facts.get(row.pid)));
  const sockets = jobs
    .filter(({ id, members }) => useless(id) && isHidden(members))
    .flatMap((job) => [...socketsOfJob(job, facts)]);
  return (members) => new Set([...sockets, ...(isHidden(members) ? socketsOfJob({ members }, facts) : [])]);
};

/**
 * Whether jobs ran that their silence may end: those of living sessions that have
 * used up half of their time. Others are not asked about, so that an ordinary look costs nothing.
 * Throws ProcessTableUnreadable.
 */
export const readExchanges = (
  probing: Pick<SocketProbing, 'exchanges'> | undefined,
  table: ProcessTable,
  drafts: readonly Draft[],
  facts: Read,
  settings: Settings,
): ReadonlyMap<JobId, Exchange> => {
  const asked = drafts.filter(({ run, owner, startTicks }) => {
    const limit = run === null ? settings.backgroundMaxElapsedSeconds : (run.maxElapsedSeconds ?? run.hardCapSeconds);
    return owner.state === 'live' && awakeSeconds(table, startTicks) >= limit / 2;
  });
  if (asked.length === 0) return new Map();
  const exchanges = probing?.exchanges(
    asked.map(({ members }) =>
      members.map(({ row }) => ({ pid: row.pid, files: facts.get(row.pid)?.openFiles ?? null })),
    ),
  );
  return new Map(
    asked.map(({ id, members }, index) => {
      const isElsewhere = members.some(({ row }) => worksElsewhere(programOf(row)));
      return [id, (isElsewhere ? undefined : exchanges?.[index]) ?? { kind: 'unknown' }];
    }),
  );
};
