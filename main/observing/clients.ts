import type { Exchange } from '../../app/jobs/measure/activity.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import type { PossibleClient, SocketsOfJob } from '../../app/jobs/measure/clients.ts';
import { clientsOf } from '../../app/jobs/measure/clients.ts';
import type { JobId, Client } from '../../app/jobs/model/job.ts';
import { isBrowser } from '../../app/programs/browser.ts';
import { programOf } from '../../app/programs/program.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import { awakeSeconds, type ProcessTable } from '../../app/process/table.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { AskedProcess, SocketProbing } from '../os/processes/probing.ts';

/** Inodes of all sockets that a process holds. */
const socketsOf = (facts: MemberFacts | undefined): readonly string[] =>
  (facts?.openFiles ?? []).flatMap(({ target }) => /^socket:\[(\d+)\]$/u.exec(target)?.[1] ?? []);

type Read = ReadonlyMap<number, MemberFacts>;

const socketsOfJob = ({ members }: Pick<Draft, 'members'>, facts: Read): ReadonlySet<string> =>
  new Set(members.flatMap(({ row }) => socketsOf(facts.get(row.pid))));

/**
 * Displays on which a job shows windows. A browser that the user works with is spared by its own
 * veto; the windows of one that a program drives are no user's.
 */
const windowsOf = ({ members }: Draft, facts: Read): readonly PossibleClient[] =>
  members.flatMap(({ row }) =>
    isBrowser(programOf(row))
      ? []
      : (facts.get(row.pid)?.displays ?? []).map(({ at, peer }): PossibleClient => ({
          by: 'display',
          at,
          from: null,
          peers: peer === null ? null : [peer],
        })),
  );

/** Why nothing is known where nothing can be looked into. */
const blind: PossibleClient = {
  by: 'unknown',
  at: 'what it is connected to can not be seen from here',
  from: null,
  peers: null,
};

/**
 * What uses the jobs of a look that may be ended at it: those whose session has ended, and those of
 * living ones that are past their max elapsed and listen on no port (a service is not ended then).
 * Others are not asked about, so that an ordinary look costs nothing. Throws
 * ProcessTableUnreadable.
 */
export const readClients = (
  probing: Pick<SocketProbing, 'possibleClients'> | undefined,
  table: ProcessTable,
  drafts: readonly Draft[],
  facts: Read,
  settings: Settings,
): ReadonlyMap<JobId, Client> => {
  const asked = drafts.filter(
    ({ run, owner, startTicks, members }) =>
      run === null &&
      (owner.state === 'gone' ||
        (owner.state === 'unknown' && owner.noneLeft === true) ||
        (owner.state === 'live' &&
          awakeSeconds(table, startTicks) >= settings.backgroundMaxElapsedSeconds &&
          members.every(({ row }) => (facts.get(row.pid)?.ports ?? []).length === 0))),
  );
  if (asked.length === 0) return new Map();
  const jobs = asked.map(({ members }): readonly AskedProcess[] => {
    // What has no facts ended since the table was read: one that lives has some, though they may
    // say that nothing could be read.
    const own = members.flatMap(({ row }) => {
      const fact = facts.get(row.pid);
      return fact === undefined ? [] : [{ pid: row.pid, fact }];
    });
    const ports = new Set(own.flatMap(({ fact }) => fact.ports));
    return own.map(({ pid, fact }) => ({ pid, files: fact.openFiles, ports }));
  });
  const possibleClients = probing?.possibleClients(jobs.flat()).values();
  return clientsOf(
    asked.map((draft, index): SocketsOfJob => ({
      id: draft.id,
      ended: draft.owner.state === 'gone',
      sockets: socketsOfJob(draft, facts),
      possibleClients: [
        ...(jobs[index] ?? []).flatMap(() => possibleClients?.next().value ?? [blind]),
        ...windowsOf(draft, facts),
      ],
    })),
  );
};

/**
 * For the veto about windows: sockets of a job, and of leftovers that are of no use to any process.
 * undefined where no process is connected to a display, which is the ordinary case.
 */
export const harmlessSockets = (
  drafts: readonly Draft[],
  facts: Read,
  uses: ReadonlyMap<JobId, Client>,
): ((members: Draft['members']) => ReadonlySet<string>) | undefined => {
  if (![...facts.values()].some(({ displays }) => displays !== undefined && displays.length > 0)) return undefined;
  const useless = drafts
    .filter(({ id, owner, run }) => run === null && owner.state === 'gone' && !uses.has(id))
    .flatMap((draft) => [...socketsOfJob(draft, facts)]);
  return (members) => new Set([...useless, ...socketsOfJob({ members }, facts)]);
};

/**
 * What went over the sockets of jobs that their silence may end: those of living sessions that have
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
  return new Map(asked.map(({ id }, index) => [id, exchanges?.[index] ?? { kind: 'unknown' }]));
};
