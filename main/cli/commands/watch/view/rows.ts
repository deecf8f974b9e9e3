import { wordsOr, worded } from '../../../common/words.ts';
import { say } from '../../../../../app/text/say.ts';
import { endsByItself } from '../../../../../app/contract/claims/claims.ts';
import type { ReapingView } from '../../../../../app/contract/views/reaping-view.ts';
import type { Snapshot, SnapshotJob } from '../../../../../app/contract/views/snapshot.ts';
import { agentName } from '../../../../../app/text/agent-name.ts';
import { namedCommand } from '../../../../../app/text/job.ts';

/** An agent of a snapshot. */
export type ShownAgent = Snapshot['agents'][number];

/** Says whether a user can reach an agent, and why. */
export const agentText = ({ said, text }: ShownAgent): string => wordsOr(said, text);

/** Says why an agent is not ended. */
export const agentRefusal = ({ said: why, state, endWith: command, refusal }: ShownAgent): string =>
  wordsOr(
    state === 'service' && command !== null
      ? say('Curfew does not signal it: {why}. Its own command ends it: {command}', { why, command })
      : say('Curfew does not signal it: {why}.', { why }),
    refusal ?? '',
  );

/** What one line of the list is about. `key` stays the same as long as that lives. */
export type Row =
  | { readonly kind: 'job'; readonly key: string; readonly job: SnapshotJob; readonly reaping: ReapingView | null }
  | { readonly kind: 'agent'; readonly key: string; readonly agent: ShownAgent; readonly reaping: ReapingView | null }
  /** It was ended a moment ago. */
  | { readonly kind: 'ended'; readonly key: string; readonly reaping: ReapingView };

/** The orders of the list, in the order in which a key goes through them. */
export const sortOrders = ['urgency', 'age', 'memory', 'cpu', 'project', 'agent'] as const;

export type SortOrder = (typeof sortOrders)[number];

/** What of the snapshot is listed, and how. */
export interface Choice {
  readonly sort: SortOrder;
  readonly reversed: boolean;
  /** Words that must all occur in a row. */
  readonly search: string;
  /** Protected jobs and servers that are only shown are listed too. */
  readonly all: boolean;
}

/** Returns when a row is ended automatically, epoch milliseconds; null if none may be promised. */
export const endMsOf = (row: Row, promises: boolean): number | null =>
  !promises || row.kind !== 'job' || row.job.verdict.endsAt === null ? null : Date.parse(row.job.verdict.endsAt);

const isHidden = ({ kind, verdict }: SnapshotJob): boolean =>
  verdict.state === 'protected' || (kind === 'server' && (verdict.state === 'kept' || verdict.state === 'within'));

const isActive = (reaping: ReapingView | null): boolean => reaping !== null && reaping.phase !== 'ended';

const stateRank: Readonly<Record<SnapshotJob['verdict']['state'], number>> = {
  'past-cap': 1,
  orphaned: 2,
  overdue: 3,
  probable: 6,
  within: 7,
  kept: 8,
  protected: 10,
};

const rankOf = (row: Row): number => {
  if (row.kind === 'ended') return 11;
  if (isActive(row.reaping)) return 0;
  if (row.kind === 'agent') return row.agent.state === 'unreachable' ? 4 : 6;
  const { verdict, kind } = row.job;
  if (verdict.state === 'within' && verdict.endsAt !== null) return 5;
  return kind === 'server' && verdict.state === 'kept' ? 9 : stateRank[verdict.state];
};

/** Returns when what a row is about was started, epoch milliseconds. */
export const startedMs = (row: Row): number =>
  Date.parse(
    row.kind === 'job' ? row.job.startedAt : row.kind === 'agent' ? row.agent.startedAt : row.reaping.startedAt,
  );

/** Returns the resident memory of what a row is about, bytes. */
export const memoryOf = (row: Row): number =>
  row.kind === 'job' ? row.job.holds.rssBytes : row.kind === 'agent' ? row.agent.rssBytes : 0;

/** Returns the share of a core, percent; null where it is not known. */
export const cpuOf = (row: Row): number | null =>
  row.kind === 'job' ? row.job.holds.cpuPercent : row.kind === 'agent' ? row.agent.cpuPercent : null;

/** Returns the folder of the project, or null. */
export const projectOf = (row: Row): string | null =>
  row.kind === 'job' ? row.job.project : row.kind === 'agent' ? row.agent.project : row.reaping.project;

/** Returns the agent's name. */
export const agentOf = (row: Row): string =>
  row.kind === 'job'
    ? agentName(row.job.agent, row.job.rule)
    : agentName(row.kind === 'agent' ? row.agent.agent : row.reaping.agent);

/** Returns the command, or what an agent's process is called. */
export const commandOf = (row: Row): string => {
  switch (row.kind) {
    case 'job':
      return namedCommand(row.job);
    case 'agent':
      return worded('the agent itself (process {pid}): {text}', { pid: row.agent.pid, text: agentText(row.agent) });
    case 'ended':
      return row.reaping.command;
  }
};

/** Returns the machine; `local` is this one. */
export const hostOf = (row: Row): string =>
  row.kind === 'job' ? row.job.host : row.kind === 'agent' ? 'local' : row.reaping.host;

type Compare = (left: Row, right: Row, promises: boolean) => number;

const byUrgency: Compare = (left, right, promises) => {
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0) return rank;
  const [one, other] = [endMsOf(left, promises) ?? Infinity, endMsOf(right, promises) ?? Infinity];
  return one === other ? startedMs(left) - startedMs(right) : one - other;
};

const compares: Readonly<Record<SortOrder, Compare>> = {
  urgency: byUrgency,
  age: (left, right) => startedMs(left) - startedMs(right),
  memory: (left, right) => memoryOf(right) - memoryOf(left),
  cpu: (left, right) => (cpuOf(right) ?? -1) - (cpuOf(left) ?? -1),
  project: (left, right) => (projectOf(left) ?? '').localeCompare(projectOf(right) ?? ''),
  agent: (left, right) => agentOf(left).localeCompare(agentOf(right)),
};

const wordsOf = (row: Row): string =>
  [commandOf(row), projectOf(row), agentOf(row), hostOf(row), row.kind === 'job' ? row.job.id : '']
    .join(' ')
    .toLowerCase();

/**
 * Returns the rows of a snapshot, as they are listed, and how many are left out because they are
 * protected or only shown. Equal ones stay in the order of urgency.
 */
export const rowsOf = (
  snapshot: Snapshot,
  choice: Choice,
): { readonly rows: readonly Row[]; readonly hidden: number } => {
  const promises = endsByItself(snapshot);
  const reapings = new Map(snapshot.reapings.map((reaping) => [`${reaping.host}/${reaping.job}`, reaping]));
  const jobs = snapshot.jobs.map((job): Row => {
    const key = `${job.host}/${job.id}`;
    return { kind: 'job', key, job, reaping: reapings.get(key) ?? null };
  });
  const agents = snapshot.agents.map((agent): Row => ({
    kind: 'agent',
    key: `local/${agent.job ?? `agent ${agent.pid}`}`,
    agent,
    reaping: reapings.get(`local/${agent.job ?? ''}`) ?? null,
  }));
  const present = new Set([...jobs, ...agents].map(({ key }) => key));
  const ended = [...reapings].flatMap(([key, reaping]): readonly Row[] =>
    present.has(key) ? [] : [{ kind: 'ended', key, reaping }],
  );
  const wanted = choice.search.toLowerCase().split(' ');
  const listed = [...jobs, ...agents, ...ended].filter((row) => {
    const words = wordsOf(row);
    return wanted.every((word) => words.includes(word));
  });
  const rows = choice.all
    ? listed
    : listed.filter((row) => row.kind !== 'job' || isActive(row.reaping) || !isHidden(row.job));
  const compare = compares[choice.sort];
  const sorted = rows.toSorted((left, right) => compare(left, right, promises) || byUrgency(left, right, promises));
  return { rows: choice.reversed ? sorted.toReversed() : sorted, hidden: listed.length - rows.length };
};
