import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import type { Job, JobId } from '../../app/jobs/model/job.ts';
import type { AgentWork } from '../../app/jobs/model/reach.ts';
import type { AgentSession } from '../../app/jobs/model/session.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { hasEnded } from '../../app/process/row.ts';
import { awakeSeconds, type ProcessTable } from '../../app/process/table.ts';
import { descendants, relationsOf } from '../../app/process/tree.ts';
import { reachPatienceSeconds } from '../../app/reach/memory.ts';
import type { AgentUnit } from '../../app/reach/units.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/** What an agent is told of by, of one look. */
export interface AgentLook {
  readonly table: ProcessTable;
  readonly sessions: readonly AgentSession[];
  readonly jobs: readonly Job[];
  /** What the ledger knows of agents that were to be ended. */
  readonly entries: readonly LedgerEntry[];
  readonly taken: ReadonlySet<JobId>;
}

/** What shows that an agent works. */
export interface WorkInput extends Pick<AgentLook, 'table' | 'jobs'> {
  readonly unit: AgentUnit;
  readonly session: AgentSession | null;
  /** See `AgentWatchTools`. */
  readonly transcriptMs: number | null;
  readonly source: Pick<ProcessSource, 'facts' | 'probing'>;
}

/** What an agent starts within this time of its own start are its servers, seconds. */
const startSeconds = 60;

const socketsOf = (files: readonly { readonly target: string }[] | null): readonly string[] =>
  (files ?? []).flatMap(({ target }) => /^socket:\[(\d+)\]$/u.exec(target)?.[1] ?? []);

/** Below it: what it has started, its own parts left out. */
const belowOf = ({ table, unit }: WorkInput): readonly ProcessRow[] => {
  const own = new Set(unit.parts.map(({ pid }) => pid));
  return descendants(relationsOf(table.rows), unit.top.pid).filter((row) => !own.has(row.pid) && !hasEnded(row));
};

/** A command that is young, or that has done something lately. */
const hasCommand = ({ table, unit, jobs }: WorkInput, below: readonly ProcessRow[]): boolean => {
  const isOwn = (pid: number): boolean => unit.parts.some((part) => part.pid === pid);
  const isYoung = (row: ProcessRow): boolean =>
    row.startTicks > unit.top.startTicks + startSeconds * table.ticksPerSecond &&
    awakeSeconds(table, row.startTicks) < reachPatienceSeconds;
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
 * A client outside its own tree, or a display on which it shows windows. What can't be seen may be
 * one.
 */
const hasConnection = ({ unit, source }: WorkInput, below: readonly ProcessRow[]): boolean => {
  const facts = source.facts([...unit.parts, ...below]);
  if ([...facts.values()].some(({ displays }) => displays !== undefined && displays.length > 0)) return true;
  const own = new Set([...facts.values()].flatMap(({ openFiles }) => socketsOf(openFiles)));
  const asked = unit.parts.map(({ pid }) => ({
    pid,
    files: facts.get(pid)?.openFiles ?? null,
    ports: new Set(facts.get(pid)?.ports ?? []),
  }));
  const clients = source.probing?.possibleClients(asked).flat();
  return clients?.every(({ peers }) => peers?.every((peer) => own.has(peer)) === true) !== true;
};

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
