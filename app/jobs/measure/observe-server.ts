import type { MemberFacts } from '../../process/facts.ts';
import { awakeSeconds, type ProcessTable } from '../../process/table.ts';
import type { ProcessTree } from '../../process/tree.ts';
import type { Member } from '../model/job.ts';
import type { ServerMemory, ServerReport, ServerState } from '../model/server-state.ts';
import { browserParts } from '../servers/unit.ts';

/** What is measured of a server at one look. */
export interface ServerObservation {
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly members: readonly Member[];
  readonly facts: ReadonlyMap<number, MemberFacts>;
  readonly before: ServerMemory | null;
  /** Bytes that moved within so many seconds are work. */
  readonly quietSeconds: number;
}

/**
 * Measures a server: whether bytes move, which is work (processor time without bytes is a loop at
 * the end of its input), and whether it listens. A browser that the server drives is left out: what
 * it does serves only the server. Gives what to remember, and the state with what was found.
 */
export const observeServer = (
  found: ServerState,
  { table, tree, members, facts, before, quietSeconds }: ServerObservation,
): { readonly state: ServerState; readonly memory: ServerMemory } => {
  const browsers = browserParts({ tree }, members);
  const counted = members.filter(({ row }) => !browsers.has(row.pid));
  const bytes: Record<string, number> = {};
  let moved = false;
  const why: ServerReport[] = [];
  for (const { row } of counted) {
    const fact = facts.get(row.pid);
    if (fact === undefined) continue;
    if (fact.ports.length > 0) why.push('listens');
    if (fact.ioBytes === null) {
      why.push('ends-unknown');
      continue;
    }
    const key = `${row.pid}:${row.startTicks}`;
    const known = before?.bytes[key];
    bytes[key] = fact.ioBytes;
    // Of one that is new its whole life is new.
    moved ||= before !== null && known !== fact.ioBytes;
  }
  const movedAtTicks = moved ? table.nowTicks : (before?.movedAtTicks ?? null);
  if (movedAtTicks !== null && awakeSeconds(table, movedAtTicks) < quietSeconds) why.push('works');
  const memory: ServerMemory = { bytes, movedAtTicks, looks: Math.min(2, (before?.looks ?? 0) + 1) };
  if (found.standing === 'living') return { state: found, memory };
  const [first, ...others] = new Set([...(found.standing === 'reported' ? found.why : []), ...why]);
  return { state: first === undefined ? found : { standing: 'reported', why: [first, ...others] }, memory };
};
