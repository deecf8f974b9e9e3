import type { IoCounts, MemberFacts } from '../../process/facts.ts';
import { awakeSeconds, type ProcessTable } from '../../process/table.ts';
import type { ProcessTree } from '../../process/tree.ts';
import type { Member } from '../../model/job.ts';
import type { ServerMemory, ServerReport, ServerState } from '../../model/server-state.ts';
import type { Moved } from '../lineage/witness.ts';
import { browserParts } from '../servers/server-tree.ts';
import { freeFromNow, freeTime } from './free-time.ts';

export interface ServerObservation {
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly members: readonly Member[];
  readonly facts: ReadonlyMap<number, MemberFacts>;
  readonly before: ServerMemory | null;
  /** Seconds in which bytes that moved are work. */
  readonly quietSeconds: number;
}

/**
 * The most that one call moves where a thread only wakes another: the counter of an eventfd, 8
 * bytes. An idle Node does that every 8 s, reading and writing (24.21, observed on npm exec).
 */
const wakeBytes = 8;

/** Whether more than such wake-ups lies between two counts. */
const isWork = (before: IoCounts, now: IoCounts): boolean =>
  now.readBytes - before.readBytes > wakeBytes * (now.reads - before.reads) ||
  now.writtenBytes - before.writtenBytes > wakeBytes * (now.writes - before.writes);

/** Whether it may have been used between two measures: bytes moved, or it ran and may have. */
export const mayBeUsed = (before: Moved, now: Moved): boolean =>
  before.ran !== now.ran || isWork(before.counts, now.counts);

/** What is remembered of a server to which this look saw a client. */
export const inUse = (memory: ServerMemory): ServerMemory =>
  memory.free === undefined ? memory : { ...memory, free: freeFromNow(memory.free) };

/**
 * What alone does not speak against the end of a detached helper. Its work begins the count of its
 * free time anew.
 */
const sayingNothing: ReadonlySet<ServerReport> = new Set<ServerReport>(['listens', 'works']);

const sumOf = (bytes: Readonly<Record<string, number>>): number =>
  Object.values(bytes).reduce((sum, one) => sum + one, 0);

/** Bytes moved between two looks; null unless both measured exactly these processes. */
const movedBetween = (
  before: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
  processes: number,
): number | null => {
  const keys = Object.keys(now);
  const same = keys.length === processes && keys.length === Object.keys(before).length;
  return same && keys.every((key) => Object.hasOwn(before, key)) ? sumOf(now) - sumOf(before) : null;
};

/**
 * Measures a server: whether bytes move, which is work (processor time without bytes is a loop at
 * the end of its input, and 8 bytes a call wake a thread), and whether it listens. A browser that
 * the server drives is left out: what it does serves only the server. Gives what to remember, and
 * the state with what was found.
 */
export const observeServer = (
  found: ServerState,
  { table, tree, members, facts, before, quietSeconds }: ServerObservation,
): { readonly state: ServerState; readonly memory: ServerMemory } => {
  const browsers = browserParts({ tree }, members);
  const counted = members.filter(({ row }) => !browsers.has(row.pid));
  const bytes: Record<string, number> = {};
  const counts: Record<string, IoCounts> = {};
  let moved = false;
  const why: ServerReport[] = [];
  for (const { row } of counted) {
    const fact = facts.get(row.pid);
    if (fact === undefined) continue;
    if (fact.ports.length > 0) why.push('listens');
    if (found.standing === 'detached' && fact.readsPipe === true) why.push('connected');
    if (fact.ioBytes === null) {
      why.push(fact.windows === undefined ? 'ends-unknown' : 'ends-untold');
      continue;
    }
    const key = `${row.pid}:${row.startTicks}`;
    const known = before?.bytes[key];
    const latest = before?.counts?.[key];
    bytes[key] = fact.ioBytes;
    if (fact.ioCounts !== undefined) counts[key] = fact.ioCounts;
    if (before === null || known === fact.ioBytes) continue;
    // Of one that is new its whole life is new.
    moved ||= latest === undefined || fact.ioCounts === undefined || isWork(latest, fact.ioCounts);
  }
  const movedAtTicks = moved ? table.nowTicks : (before?.movedAtTicks ?? null);
  if (movedAtTicks !== null && awakeSeconds(table, movedAtTicks) < quietSeconds) why.push('works');
  const memory: ServerMemory = { bytes, counts, movedAtTicks, looks: Math.min(2, (before?.looks ?? 0) + 1) };
  if (found.standing === 'living') return { state: found, memory };
  if (found.standing === 'detached') {
    const against = new Set(why.filter((one) => !sayingNothing.has(one)));
    if (against.size > 0) return { state: { standing: 'reported', why: [...found.why, ...against] }, memory };
    const free = freeTime(table, before?.free, {
      cpuMs: counted.reduce((sum, { row }) => sum + row.cpuMs, 0),
      processes: counted.length,
      movedBytes: movedBetween(before?.bytes ?? {}, bytes, counted.length),
      moved,
    });
    return { state: { ...found, freeSeconds: Math.floor(free.seconds) }, memory: { ...memory, free } };
  }
  if (found.standing === 'replaced')
    return { state: why.length === 0 ? found : { standing: 'reported', why: ['agent-lives', ...why] }, memory };
  const [first, ...others] = new Set([...(found.standing === 'reported' ? found.why : []), ...why]);
  return { state: first === undefined ? found : { standing: 'reported', why: [first, ...others] }, memory };
};
