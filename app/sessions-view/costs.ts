import { resumeOf } from '../agents/names.ts';
import { commandKey, type OlderSets } from '../jobs/servers/older-sets.ts';
import type { Found } from '../format/secrets/safe-text.ts';
import { safeView } from '../format/secrets/safe-view.ts';
import { signatureOf } from '../agents/signatures.ts';
import { programFile } from '../paths/path.ts';
import type {
  Copies,
  OlderSetsView,
  SessionCost,
  SessionCosts,
  ShownSessionState,
} from '../contract/views/session-costs.ts';
import { redactProcess } from '../format/secrets/redact.ts';
import { moment } from '../format/moment.ts';
import type { Job } from '../model/job.ts';
import type { AgentSession } from '../model/session.ts';
import type { Pid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import { ageSeconds, startedAtMs, type ProcessTable } from '../process/table.ts';
import { sessionGroups, type SessionGroup } from './belonging.ts';

/** Memory of one process, bytes. */
export interface ProcessMemory {
  readonly pssBytes: number;
  readonly privateBytes: number;
  readonly swapBytes: number;
}

/**
 * Standard input of a process where that is a private channel: a pipe or a pair of sockets.
 * `holders`: the processes at its other end; null: unknown.
 */
export interface InputChannel {
  readonly id: string;
  readonly holders: ReadonlySet<number> | null;
}

export interface CostsInput {
  readonly host: string;
  readonly table: ProcessTable;
  readonly sessions: readonly AgentSession[];
  readonly jobs: readonly Job[];
  /** Left out where it could not be read. */
  readonly memory: ReadonlyMap<number, ProcessMemory>;
  readonly inputs: ReadonlyMap<number, InputChannel>;
  /** Agents that no user can reach, and why; a sentence each. */
  readonly unreachable: ReadonlyMap<number, string>;
  /** Of each agent that runs whether it is idle, and the ids by which it may be ended. */
  readonly idle: ReadonlyMap<number, Pick<Found<SessionCost>, 'idle' | 'end' | 'ownEnd'>>;
  /** What living hosts keep several times. */
  readonly olderSets: readonly OlderSets[];
  /** The ids by which older sets may be ended, by their first process. */
  readonly olderJobs: ReadonlyMap<number, string>;
}

/** A server or job, whose command may run several times. */
interface Unit {
  readonly group: SessionGroup;
  readonly kind: 'server' | 'job';
  readonly rows: readonly ProcessRow[];
  /** The process that does the work: the one furthest below launchers and shells. */
  readonly main: ProcessRow;
}

const depthOf = (row: ProcessRow, rows: ReadonlyMap<Pid, ProcessRow>): number => {
  let depth = 0;
  for (let at = rows.get(row.ppid); at !== undefined && depth < rows.size; at = rows.get(at.ppid)) depth += 1;
  return depth;
};

const mainOf = (rows: readonly ProcessRow[]): ProcessRow | null => {
  const own = new Map(rows.map((row) => [row.pid, row]));
  const deepest = rows.toSorted(
    (one, other) => depthOf(other, own) - depthOf(one, own) || one.startTicks - other.startTicks,
  );
  return deepest[0] ?? null;
};

/**
 * Returns the servers of a session: descendants of the agent in its kernel session or a group of
 * their own, whose standard input is a private channel that the agent holds. A launcher and what it
 * started share one channel and are one server; a hook leads a kernel session.
 */
const serversOf = (group: SessionGroup, inputs: CostsInput['inputs']): readonly Unit[] => {
  const agents = new Set<number>(group.agents.map(({ pid }) => pid));
  const inJobs = new Set<number>(group.jobs.flatMap(({ members }) => members.map(({ row }) => row.pid)));
  const byChannel = new Map<string, ProcessRow[]>();
  for (const row of group.rows) {
    if (agents.has(row.pid) || inJobs.has(row.pid) || Number(row.sid) === Number(row.pid)) continue;
    const input = inputs.get(row.pid);
    if (input === undefined || (input.holders !== null && ![...input.holders].some((pid) => agents.has(pid)))) continue;
    byChannel.set(input.id, [...(byChannel.get(input.id) ?? []), row]);
  }
  return [...byChannel.values()].flatMap((rows): Unit[] => {
    const main = mainOf(rows);
    return main === null ? [] : [{ group, kind: 'server', rows, main }];
  });
};

/** All processes of some servers: theirs, and what hangs below them (browsers, helpers). */
const withHelpers = (group: SessionGroup, servers: readonly Unit[]): readonly ProcessRow[] => {
  const taken = new Map(servers.flatMap(({ rows }) => rows.map((row) => [row.pid, row] as const)));
  let before = 0;
  // A child is not always after its parent in the table.
  while (taken.size > before) {
    before = taken.size;
    for (const row of group.rows) if (taken.has(row.ppid)) taken.set(row.pid, row);
  }
  return [...taken.values()];
};

const jobsOf = (group: SessionGroup): readonly Unit[] =>
  group.jobs.flatMap((job): Unit[] => {
    const rows = job.members.map(({ row }) => row);
    const main = mainOf(rows);
    return main === null ? [] : [{ group, kind: job.kind === 'server' ? 'server' : 'job', rows, main }];
  });

const memoryOf = (rows: readonly ProcessRow[], memory: CostsInput['memory']): SessionCost['memory'] => {
  let [bytes, privateBytes, swapBytes, rssBytes, read] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    const own = memory.get(row.pid);
    bytes += own?.pssBytes ?? row.rssBytes;
    rssBytes += row.rssBytes;
    if (own === undefined) continue;
    read += 1;
    privateBytes += own.privateBytes;
    swapBytes += own.swapBytes;
  }
  return {
    bytes,
    measured: read === rows.length ? 'pss' : read === 0 ? 'rss' : 'mixed',
    privateBytes: read === 0 && rows.length > 0 ? null : privateBytes,
    swapBytes: read === 0 && rows.length > 0 ? null : swapBytes,
    rssBytes,
  };
};

const cpuSeconds = (rows: readonly ProcessRow[]): number => rows.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000;

const costOf = (
  group: SessionGroup,
  units: readonly Unit[],
  copied: ReadonlySet<Unit>,
  input: CostsInput,
): SessionCost => {
  const { session, agents, rows, jobs } = group;
  const { table } = input;
  const unreachable = session.pid === null ? undefined : input.unreachable.get(session.pid);
  const state: ShownSessionState = unreachable !== undefined && agents.length > 0 ? 'unreachable' : session.state;
  const startTicks =
    agents.length > 0 ? session.process?.startTicks : rows.map((row) => row.startTicks).toSorted((a, b) => a - b)[0];
  const age = startTicks === undefined ? null : ageSeconds(table, startTicks);
  const cpu = cpuSeconds(rows);
  const idle = session.pid === null || agents.length === 0 ? undefined : input.idle.get(session.pid);
  const servers = units.filter(({ group: of, kind }) => of === group && kind === 'server');
  const copies = [...Map.groupBy(servers, ({ main }) => commandKey(main)).values()].map(({ length }) => length);
  return safeView<SessionCost>({
    agent: session.agent,
    agentName: signatureOf(session.agent).name,
    id: session.id,
    pid: session.pid,
    state,
    unreachable: state === 'unreachable' ? (unreachable ?? null) : null,
    project: session.project ?? jobs.find(({ project }) => project !== null)?.project ?? null,
    startedAt: startTicks === undefined ? null : moment(startedAtMs(table, startTicks)),
    ageSeconds: age,
    processes: rows.length,
    memory: memoryOf(rows, input.memory),
    cpuSeconds: cpu,
    cpuPercent: age === null || age <= 0 ? 0 : Math.round((cpu / age) * 1000) / 10,
    jobs: jobs.filter(({ kind }) => kind !== 'server').length,
    servers: servers.length,
    serverMemory: memoryOf(withHelpers(group, servers), input.memory),
    mostCopies: Math.max(0, ...copies),
    duplicates: units.filter((unit) => unit.group === group && copied.has(unit)).length,
    source: session.source,
    ...(idle ?? { idle: null, end: null, ownEnd: null }),
    resume: resumeOf(session.agent, session.id),
  });
};

/** Groups units that run the same command; only those of two or more. */
const copiesOf = (units: readonly Unit[]): readonly (readonly Unit[])[] =>
  [...Map.groupBy(units, ({ main }) => commandKey(main)).values()].filter(({ length }) => length > 1);

/**
 * Works out what every session costs, the dearest first: memory, processor time, jobs, servers, and
 * commands that run more than once across all of them. Pure.
 */
export const sessionCosts = (input: CostsInput): SessionCosts => {
  const groups = sessionGroups(input.table, input.sessions, input.jobs);
  const units = groups.flatMap((group) => [...serversOf(group, input.inputs), ...jobsOf(group)]);
  const copies = copiesOf(units);
  const copied = new Set(copies.flat());
  const sessions = groups
    .map((group) => costOf(group, units, copied, input))
    .toSorted(
      (one, other) =>
        other.memory.bytes - one.memory.bytes ||
        other.cpuSeconds - one.cpuSeconds ||
        `${one.agent} ${one.pid} ${one.id}`.localeCompare(`${other.agent} ${other.pid} ${other.id}`),
    );
  const rows = groups.flatMap((group) => group.rows);
  const count = (state: ShownSessionState): number => sessions.filter((one) => one.state === state).length;
  const sum = (of: (one: SessionCost) => number): number => sessions.reduce((total, one) => total + of(one), 0);
  return {
    schema: 1,
    host: input.host,
    at: moment(input.table.takenAtMs),
    sessions,
    duplicates: copies
      .map((same): Copies => {
        const [first] = same;
        const { argv = [], comm = '' } = first?.main ?? {};
        return {
          command: redactProcess({
            argv: argv.length === 0 ? argv : [programFile(argv[0] ?? ''), ...argv.slice(1)],
            comm,
          }),
          copies: same.length,
          sessions: new Set(same.map(({ group }) => group)).size,
          memoryBytes: memoryOf(
            same.flatMap((unit) => unit.rows),
            input.memory,
          ).bytes,
        };
      })
      .toSorted((one, other) => other.copies - one.copies || other.memoryBytes - one.memoryBytes),
    olderSets: input.olderSets
      .filter(({ older, waiting }) => older.length + waiting > 0)
      .map(({ agent, host, command, older, waiting }) => {
        const ended = older.flatMap((one) => one.rows);
        const { bytes, privateBytes } = memoryOf(ended, input.memory);
        return safeView<OlderSetsView>({
          agent,
          host: host.pid,
          command: redactProcess(command),
          sets: older.length,
          waiting,
          memoryBytes: bytes,
          freesBytes: privateBytes,
          jobs: older.flatMap(({ root }) => input.olderJobs.get(root.pid) ?? []),
        });
      }),
    totals: {
      sessions: {
        live: count('live'),
        gone: count('gone'),
        unknown: count('unknown'),
        unreachable: count('unreachable'),
      },
      processes: rows.length,
      memory: memoryOf(rows, input.memory),
      cpuSeconds: cpuSeconds(rows),
      jobs: sum(({ jobs }) => jobs),
      servers: sum(({ servers }) => servers),
      duplicates: sum(({ duplicates }) => duplicates),
    },
  };
};
