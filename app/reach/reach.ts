import { byKey } from '../format/said.ts';
import type { ReachWitness } from '../jobs/lineage/witness.ts';
import type { AgentEnds, AgentWork, EndHolder, Reach, StandardEnd, Unreached } from '../model/reach.ts';
import { isAdopter } from '../jobs/lineage/adopter.ts';
import { multiplexerName } from '../programs/multiplexer.ts';
import { programOf } from '../programs/program.ts';
import type { Pid } from '../process/identity.ts';
import { type ProcessRow, hasEnded } from '../process/row.ts';
import type { ProcessTable } from '../process/table.ts';
import { parentsOf, relationsOf } from '../process/tree.ts';
import { reachPatienceSeconds, secondsSince } from './memory.ts';

/** The processes that hold the other side of one end; null: not all could be looked into. */
export type HoldersOf = (end: StandardEnd) => readonly Pid[] | null;

/** What an agent's reach is worked out from. */
export interface ReachInput {
  readonly table: ProcessTable;
  readonly row: ProcessRow;
  /** null: they can't be read here. */
  readonly ends: AgentEnds | null;
  /** A daemon of its agent, by the agent's own command line. */
  readonly isService: boolean;
  /** Asked only where the answer depends on it. */
  readonly holdersOf: HoldersOf;
  /** A user's terminal is attached to this multiplexer, or that can't be told. */
  readonly hasClient: (multiplexer: ProcessRow) => boolean;
  /** After this look; null: it is not remembered. */
  readonly memory: ReachWitness | null;
  /** What else shows that it works; null: nothing does. */
  readonly work: AgentWork | null;
}

const unknown = (why: string): Reach => ({ state: 'unknown', why: byKey(why) });

/**
 * What the ends prove by themselves. `other`: no proof that no user and no client can come back.
 */
export const proofOf = ({ input, output }: Pick<AgentEnds, 'input' | 'output'>): ReachWitness['ends'] => {
  const isHungUp = (end: StandardEnd): boolean => end.kind === 'terminal' && end.state === 'hung-up';
  const isClosed = (end: StandardEnd): boolean => end.kind === 'channel' && end.far === 'closed';
  if (isHungUp(input) && isHungUp(output)) return 'hung-up';
  return isClosed(input) && isClosed(output) ? 'client-gone' : 'other';
};

/**
 * True for a process in a background group of its terminal that no shell can bring back: no member
 * of the group has a parent in the same kernel session outside of it (setpgid(2), "orphaned process
 * group").
 */
const isCutOff = (table: ProcessTable, row: ProcessRow, ends: AgentEnds): boolean => {
  if (!table.complete || ends.tty === 0 || ends.foreground <= 0 || ends.foreground === Number(row.pgid)) return false;
  const { group } = relationsOf(table.rows);
  return group(row.pgid).every((member) => {
    const parent = table.rows.get(member.ppid);
    return parent === undefined || hasEnded(parent) || parent.sid !== member.sid || parent.pgid === member.pgid;
  });
};

const holderOf = (row: ProcessRow): EndHolder => ({ pid: row.pid, name: row.comm });

const rowsOf = ({ table }: ReachInput, pids: readonly Pid[]): readonly ProcessRow[] =>
  pids.map((pid) => table.rows.get(pid)).filter((row) => row !== undefined);

/** An interactive agent whose terminal has a master. */
const onTerminal = (input: ReachInput, ends: AgentEnds): Reach => {
  if (isCutOff(input.table, input.row, ends)) return { state: 'cut-off' };
  const holders = input.holdersOf(ends.input);
  if (holders === null) return { state: 'reachable' };
  const keepers = rowsOf(input, holders).filter((row) => multiplexerName(programOf(row)) !== null);
  const [keeper] = keepers;
  const isDetached = keepers.length === holders.length && keepers.every((row) => !input.hasClient(row));
  return keeper !== undefined && isDetached ? { state: 'detached', holder: holderOf(keeper) } : { state: 'reachable' };
};

/** An agent that a client speaks to over open channels. */
const overChannels = (input: ReachInput, ends: AgentEnds): Reach => {
  const { table, row } = input;
  const asked = [ends.input, ends.output].map(input.holdersOf);
  const pids = new Set(asked.flatMap((holders) => holders ?? []));
  const isAncestor = parentsOf(row, table.rows).some((parent) => pids.has(parent.pid) && !isAdopter(parent));
  if (isAncestor) return { state: 'reachable' };
  const own = new Set([row.pid, ...descendantsOf(table, row)]);
  const others = rowsOf(input, [...pids]).filter(({ pid }) => !own.has(pid));
  // Parts of one pipeline or of one login.
  if (others.some(({ pgid, sid }) => pgid === row.pgid || sid === row.sid)) return { state: 'headless' };
  const [holder] = others;
  if (asked.includes(null)) return unknown('what holds the other end of its input or output can’t be seen');
  return holder === undefined
    ? unknown('no process is seen to hold the other end of its input or output')
    : { state: 'held', holder: holderOf(holder) };
};

const descendantsOf = (table: ProcessTable, row: ProcessRow): readonly Pid[] => {
  const { children } = relationsOf(table.rows);
  const found: Pid[] = [];
  const seen = new Set<Pid>([row.pid]);
  for (let level: readonly Pid[] = [row.pid]; level.length > 0;) {
    level = level.flatMap((pid) => children(pid).map((child) => child.pid)).filter((pid) => !seen.has(pid));
    for (const pid of level) seen.add(pid);
    found.push(...level);
  }
  return found;
};

/** An agent of which the kernel proves that no input comes any more. */
const proved = (input: ReachInput, why: Unreached, memory: ReachWitness): Reach => {
  const { table, work } = input;
  const since = (ticks: number | null): number => (ticks === null ? Infinity : secondsSince(table, ticks));
  const observed = since(memory.sinceTicks);
  if (why === 'client-gone' && observed < reachPatienceSeconds)
    return { state: 'closed-lately', closedSeconds: observed };
  const withoutBytes = Math.min(observed, since(memory.workTicks));
  const withoutProcessor = since(memory.busyTicks);
  const spinning = withoutProcessor < reachPatienceSeconds && withoutBytes >= reachPatienceSeconds;
  if (work !== null) return { state: 'finishing', why, work };
  if (since(memory.workTicks) < reachPatienceSeconds) return { state: 'finishing', why, work: 'input-output' };
  if (withoutProcessor < reachPatienceSeconds && !spinning) return { state: 'finishing', why, work: 'processor' };
  const quietSeconds = Math.min(withoutBytes, withoutProcessor);
  return { state: 'unreachable', why, quietSeconds, settled: quietSeconds >= reachPatienceSeconds, spinning };
};

/**
 * Whether a user can reach an agent. Pure but for what it asks, total; what proves nothing is
 * `unknown` or `reachable`.
 */
export const reachOf = (asked: ReachInput): Reach => {
  const { ends, memory } = asked;
  if (ends === null) return unknown('its input and output can’t be read');
  const { input, output } = ends;
  const proof = proofOf(ends);
  // Its clients come by other ways than its input, also where its terminal is gone.
  if (asked.isService && input.kind !== 'channel') return { state: 'service' };
  if (input.kind === 'unknown') return { state: 'unknown', why: input.why };
  if (output.kind === 'unknown') return { state: 'unknown', why: output.why };
  if (proof !== 'other') {
    const known = memory !== null && memory.ends === proof ? memory : null;
    return known === null ? unknown('it is not remembered') : proved(asked, proof, known);
  }
  if (output.kind === 'file' || output.kind === 'null') return { state: 'headless' };
  if (output.kind === 'channel') {
    if (output.far === 'closed') return unknown('only its output is closed');
    return input.kind === 'channel' && input.far === 'open' ? overChannels(asked, ends) : { state: 'headless' };
  }
  if (output.state === 'hung-up') return unknown('only its output is hung up');
  if (input.kind !== 'terminal') return input.kind === 'channel' ? { state: 'reachable' } : { state: 'headless' };
  return input.state === 'held' ? onTerminal(asked, ends) : unknown('only its input is hung up');
};
