import type { ReachWitness } from '../jobs/lineage/witness.ts';
import type { Idle, IdleSign, TurnState } from '../model/reach.ts';
import type { AgentSession } from '../model/session.ts';
import type { ProcessTable } from '../process/table.ts';
import { reachPatienceSeconds, secondsSince } from './memory.ts';

/** What is known of the use of an agent at one look. */
export interface IdleInput {
  readonly table: Pick<ProcessTable, 'awake' | 'nowTicks' | 'ticksPerSecond' | 'clockIsSet' | 'takenAtMs'>;
  /** What its registry says; null: it has no entry. */
  readonly session: Pick<AgentSession, 'status' | 'statusAtMs' | 'remote'> | null;
  /** When its transcript was written last: wall clock, milliseconds; null: not known. */
  readonly transcriptMs: number | null;
  /** When its process started: wall clock, milliseconds. */
  readonly startedMs: number;
  /** The same of its terminal; null: it has none, or that is not told. */
  readonly terminalMs: number | null;
  /** What looks remember of its bytes and processor time; null: nothing. */
  readonly memory: ReachWitness | null;
  readonly stopped: boolean;
  /** `silent`: it has a command that has done nothing lately. */
  readonly commands: 'none' | 'silent' | 'working';
  /** Whether it will wake by itself; null: not known. Asked only where it matters. */
  readonly wakes: () => boolean | null;
  /** The same of its turns: by the transcripts of all its sessions. */
  readonly turn: () => TurnState | null;
  /** The same of a teammate, by what its team notes of it. */
  readonly team: () => TurnState | null;
  /** Whether it is connected to anything but its client. Asked only where it matters. */
  readonly isConnected: () => boolean;
}

const latestOf = (
  { session, transcriptMs, startedMs, terminalMs, memory, table }: IdleInput,
  counts: 'all' | 'no bytes' = 'all',
) => {
  const isTold = session?.statusAtMs !== undefined;
  const ticks = memory === null ? null : memory.workTicks;
  const watchedMs = ticks === null ? null : table.takenAtMs - secondsSince(table, ticks) * 1000;
  const signs: readonly (readonly [IdleSign, number | null | undefined])[] = [
    ['status', session?.statusAtMs],
    // A resumed transcript is older than its process. Its status is of this very process.
    ['transcript', transcriptMs === null || isTold ? transcriptMs : Math.max(transcriptMs, startedMs)],
    ['terminal', terminalMs],
    ['watched', counts === 'all' ? watchedMs : null],
  ];
  return signs
    .flatMap(([by, atMs]) => (atMs == null ? [] : [{ by, sinceMs: Math.min(atMs, table.takenAtMs) }]))
    .toSorted((one, other) => other.sinceMs - one.sinceMs)[0];
};

const restsSince = ({ table }: IdleInput, sinceMs: number): boolean =>
  (table.takenAtMs - sinceMs) / 1000 >= reachPatienceSeconds;

/**
 * The latest sign that counts. An agent can move bytes of its own without end: Codex with a key for
 * its API writes 20 kB a second into its log (0.169, measured). They are no sign of one whose
 * turns have all ended, and that asks no model over the network.
 */
const latestThatCounts = (input: IdleInput): ReturnType<typeof latestOf> => {
  const latest = latestOf(input);
  if (latest?.by !== 'watched' || restsSince(input, latest.sinceMs)) return latest;
  const said = latestOf(input, 'no bytes');
  const isOwnNoise =
    said !== undefined && restsSince(input, said.sinceMs) && input.turn() === 'ended' && !input.isConnected();
  return isOwnNoise ? said : latest;
};

/** Seconds awake for which a watch saw it move and compute no more than an idle agent does. */
const watchedQuiet = ({ memory, table }: IdleInput): number =>
  memory === null
    ? 0
    : Math.min(
        ...[memory.sinceTicks, memory.workTicks, memory.busyTicks].flatMap((ticks) =>
          ticks === null ? [] : [secondsSince(table, ticks)],
        ),
      );

/** What its team says, where it says nothing itself. */
const teamOf = ({ session, team }: IdleInput): TurnState | null => (session?.status === undefined ? team() : null);

const inUse = (input: IdleInput): Extract<Idle, { state: 'in-use' }>['why'] | null => {
  const { session, commands } = input;
  if (teamOf(input) === 'open') return 'busy';
  // An approval, a question, a dialogue: the user may be on the way back to it.
  if (session?.status === 'answer') return 'answer';
  if (session?.remote === true) return 'remote-control';
  return commands === 'working' || session?.status === 'command' ? 'command' : null;
};

/**
 * Says whether an agent is in use, and since when not: by the latest of all signs that there are.
 * What one look can't know (processor time, bytes) counts only as far as earlier looks saw it.
 * Nothing is ended by this. Pure and total.
 */
export const idleOf = (input: IdleInput): Idle => {
  const { table, session, memory, transcriptMs } = input;
  const latest = latestThatCounts(input);
  const why = inUse(input);
  if (why !== null) return { state: 'in-use', why, sinceMs: latest?.sinceMs ?? null };
  const observed = memory === null ? 0 : secondsSince(table, memory.sinceTicks);
  const watched = observed >= reachPatienceSeconds;
  // A terminal alone shows what was written, not that nothing is being worked out.
  const isTold = session?.statusAtMs !== undefined || transcriptMs !== null || watched || teamOf(input) === 'ended';
  if (latest === undefined ? !watched : !isTold && !input.stopped) return { state: 'unknown' };
  // Without any sign it is as old as the time in which it was watched.
  const { by, sinceMs } = latest ?? { by: 'watched' as const, sinceMs: table.takenAtMs - observed * 1000 };
  const rests = restsSince(input, sinceMs);
  const turn = rests ? input.turn() : null;
  const told = session?.status === 'idle' || turn === 'ended' || teamOf(input) === 'ended';
  const resting = { sinceMs, by, told, watched, dueSeconds: null };
  if (input.stopped) return rests ? { ...resting, state: 'suspended' } : { state: 'in-use', why: 'lately', sinceMs };
  if (!rests) return { state: 'in-use', why: 'lately', sinceMs };
  const wakes = input.wakes();
  if (wakes === true) return { state: 'in-use', why: 'wake-up', sinceMs };
  const busyAgo = memory?.busyTicks == null ? Infinity : secondsSince(table, memory.busyTicks);
  if (busyAgo < reachPatienceSeconds)
    return watched ? { ...resting, state: 'spinning' } : { state: 'in-use', why: 'busy', sinceMs };
  if (turn === 'open' || session?.status === 'busy' || session?.status === 'other')
    return { state: 'in-use', why: 'busy', sinceMs };
  const isDueOnce = told && wakes === false && input.commands === 'none' && memory !== null;
  const seconds = Math.min((table.takenAtMs - sinceMs) / 1000, watchedQuiet(input));
  return { ...resting, state: 'idle', dueSeconds: isDueOnce ? seconds : null };
};

/** Whether an agent rests, so that its user may end it. */
export const isResting = (idle: Idle): idle is Extract<Idle, { readonly told: boolean }> =>
  idle.state !== 'in-use' && idle.state !== 'unknown';
