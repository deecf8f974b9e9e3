import type { PossibleClient } from '../../app/jobs/measure/clients.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import type { Job, JobId } from '../../app/model/job.ts';
import type { AgentWork } from '../../app/model/reach.ts';
import type { AgentSession } from '../../app/model/session.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import { type ProcessRow, hasEnded } from '../../app/process/row.ts';
import { awakeAge, type ProcessTable } from '../../app/process/table.ts';
import { descendants, relationsOf } from '../../app/process/tree.ts';
import { reachPatienceSeconds } from '../../app/reach/memory.ts';
import type { AgentUnit } from '../../app/reach/units.ts';
import type { ProcessSource } from '../os/processes/source.ts';

export interface AgentLook {
  readonly table: ProcessTable;
  readonly sessions: readonly AgentSession[];
  readonly jobs: readonly Job[];
  /** What the ledger knows of agents that were to be ended. */
  readonly entries: readonly LedgerEntry[];
  readonly taken: ReadonlySet<JobId>;
}

export interface WorkInput extends Pick<AgentLook, 'table' | 'jobs'> {
  readonly unit: AgentUnit;
  readonly session: Pick<AgentSession, 'remote' | 'statusAtMs'> | null;
  readonly transcriptMs: number | null;
  readonly around: Around;
}

export interface Around {
  readonly facts: ReadonlyMap<number, MemberFacts>;
  /** Connections made to each process; null: they can't be seen here. */
  readonly clients: ReadonlyMap<number, readonly PossibleClient[]> | null;
}

/** What an agent starts within this time of its own start are its servers, seconds. */
const startSeconds = 60;

const socketsOf = (files: readonly { readonly target: string }[] | null): readonly string[] =>
  (files ?? []).flatMap(({ target }) => /^socket:\[(\d+)\]$/u.exec(target)?.[1] ?? []);

/** Below it: what it has started, its own parts left out. */
const belowOf = ({ table, unit }: Pick<WorkInput, 'table' | 'unit'>): readonly ProcessRow[] => {
  const own = new Set(unit.parts.map(({ pid }) => pid));
  return descendants(relationsOf(table.rows), unit.top.pid).filter((row) => !own.has(row.pid) && !hasEnded(row));
};

/** A command that is young, or that has done something lately. */
const hasCommand = (
  { table, unit, jobs }: Pick<WorkInput, 'table' | 'unit' | 'jobs'>,
  below: readonly ProcessRow[],
): boolean => {
  const isOwn = (pid: number): boolean => unit.parts.some((part) => part.pid === pid);
  const isYoung = (row: ProcessRow): boolean =>
    row.startTicks > unit.top.startTicks + startSeconds * table.ticksPerSecond &&
    awakeAge(table, row) < reachPatienceSeconds;
  return (
    below.some(isYoung) ||
    jobs.some(
      ({ owner, ageSeconds, silentSeconds }) =>
        owner.state === 'live' &&
        owner.process !== null &&
        isOwn(owner.process.pid) &&
        (ageSeconds < reachPatienceSeconds || silentSeconds < reachPatienceSeconds),
    )
  );
};

/**
 * Whether an agent has commands, and whether one may be at work: also a further agent below it.
 * @param isAgent whether a process is one
 */
export const commandsOf = (
  input: Pick<WorkInput, 'table' | 'unit' | 'jobs'>,
  isAgent: (row: ProcessRow) => boolean,
): 'none' | 'silent' | 'working' => {
  const below = belowOf(input);
  if (hasCommand(input, below) || below.some(isAgent)) return 'working';
  const isOwn = (pid: number): boolean => input.unit.parts.some((part) => part.pid === pid);
  return input.jobs.some(
    ({ owner, kind }) =>
      kind !== 'server' && owner.state === 'live' && owner.process !== null && isOwn(owner.process.pid),
  )
    ? 'silent'
    : 'none';
};

/**
 * Reads open files and connections once for all of these agents: the tables of the machine are the
 * dear part. Throws ProcessTableUnreadable.
 */
export const readAround = (
  source: Pick<ProcessSource, 'facts' | 'sockets'>,
  table: ProcessTable,
  units: readonly AgentUnit[],
): Around => {
  if (units.length === 0) return { facts: new Map(), clients: null };
  const rows = units.flatMap((unit) => [...unit.parts, ...belowOf({ table, unit })]);
  const facts = source.facts(rows);
  const asked = units.flatMap(({ parts }) =>
    parts.map(({ pid }) => ({
      pid,
      files: facts.get(pid)?.openFiles ?? null,
      ports: new Set(facts.get(pid)?.ports ?? []),
    })),
  );
  const clients = source.sockets?.possibleClients(asked);
  return {
    facts,
    clients: clients === undefined ? null : new Map(asked.map(({ pid }, index) => [pid, clients[index] ?? []])),
  };
};

/**
 * A client outside its own tree, a port to which one can come, or a display on which it shows
 * windows. What can't be seen may be one.
 */
const hasConnection = (
  { unit, around }: Pick<WorkInput, 'unit' | 'around'>,
  below: readonly ProcessRow[],
  counts: (client: PossibleClient) => boolean = () => true,
): boolean => {
  const { facts, clients } = around;
  const tree = [...unit.parts, ...below].map(({ pid }) => facts.get(pid));
  if (tree.some((one) => one?.displays !== undefined && one.displays.length > 0)) return true;
  if (unit.parts.some(({ pid }) => (facts.get(pid)?.ports.length ?? 0) > 0)) return true;
  const own = new Set(tree.flatMap((one) => socketsOf(one?.openFiles ?? null)));
  return !unit.parts.every(
    ({ pid }) =>
      clients
        ?.get(pid)
        ?.filter(counts)
        .every(({ peers }) => peers?.every((peer) => own.has(peer)) === true) === true,
  );
};

/**
 * Whether an agent is, or may be, connected to anything but what is at its standard input and
 * output. Throws ProcessTableUnreadable.
 */
export const isConnected = (
  source: Pick<ProcessSource, 'facts' | 'sockets'>,
  table: ProcessTable,
  unit: AgentUnit,
): boolean =>
  hasConnection(
    { unit, around: readAround(source, table, [unit]) },
    belowOf({ table, unit }),
    ({ standard }) => standard !== true,
  );

const isLate = ({ table }: WorkInput, atMs: number | null | undefined): boolean =>
  atMs != null && table.takenAtMs - atMs < reachPatienceSeconds * 1000;

/**
 * What shows that an agent which no input reaches may still be at work, or in use, besides its own
 * processor time and bytes; null: nothing does. Throws ProcessTableUnreadable.
 */
export const workOf = (input: WorkInput): AgentWork | null => {
  const { session, transcriptMs } = input;
  if (session?.remote === true) return 'remote-control';
  if (isLate(input, transcriptMs) || isLate(input, session?.statusAtMs)) return 'transcript';
  const below = belowOf(input);
  if (hasCommand(input, below)) return 'command';
  return hasConnection(input, below) ? 'connection' : null;
};
