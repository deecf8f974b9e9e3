import type { Pid } from '../../process/identity.ts';
import { asPid, identityKey } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { ProcessTable } from '../../process/table.ts';
import { identityOf } from '../../process/table.ts';
import type { ProcessTree } from '../../process/tree.ts';
import type { Cluster } from './cluster.ts';
import { doubtOf } from './doubt.ts';
import type { Evidence } from './evidence.ts';
import type { Origin } from './profile.ts';
import { personsOf } from './user-started.ts';
import type { Root } from './root.ts';
import type { Witness } from './witness.ts';
import { claimKey } from './witness.ts';
import { agentsSeen, openedSeen, witnessesAfter } from './witnesses.ts';

/** What bystanders are told by. */
export interface BystandersInput {
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly originOf: (row: ProcessRow) => Origin;
  readonly evidence: Evidence;
  /** What earlier looks of this boot gave. */
  readonly before: readonly Witness[];
  /** The ledger knows this process as a member of a job. */
  readonly isMember: (row: ProcessRow) => boolean;
}

/** Which marked processes of one table are the user's, or may be. */
export interface Bystanders {
  /** See `personsOf`. */
  readonly isUsers: (row: ProcessRow) => boolean;
  /** See `doubtOf`. What is doubted once is among the witnesses from then on. */
  readonly doubtAbout: (cluster: Cluster, root: Root) => string | null;
  /** What to remember, asked when all roots were doubted that are to be. */
  readonly witnesses: () => readonly Witness[];
}

/** Since when each claim is on a process of the user's, in ticks, by `claimKey`. */
const usersSince = (
  { table, originOf }: BystandersInput,
  isUsers: (row: ProcessRow) => boolean,
): ReadonlyMap<string, number> => {
  const first = new Map<string, number>();
  for (const row of table.rows.values()) {
    if (!isUsers(row)) continue;
    for (const claim of originOf(row).claims) {
      const key = claimKey(claim);
      first.set(key, Math.min(first.get(key) ?? row.startTicks, row.startTicks));
    }
  }
  return first;
};

/** Tells the user's processes from those that only carry the same marks. */
export const bystandersOf = (input: BystandersInput): Bystanders => {
  const { table, before } = input;
  const users = before.filter((one) => one.kind === 'user');
  const persons = personsOf({
    ...input,
    before: new Set(
      users.map(({ pid, startTicks }) => identityKey({ bootId: table.bootId, pid: asPid(pid), startTicks })),
    ),
    sessions: new Set(users.map(({ sid }) => sid).filter((sid) => sid !== 0)),
  });
  const isUsers = (row: ProcessRow): boolean => persons.size > 0 && persons.has(identityKey(identityOf(table, row)));
  const agents = agentsSeen(input);
  const opened = openedSeen(input);
  const doubting = {
    ...input,
    doubted: before.filter((one) => one.kind === 'doubtful'),
    agents,
    opened,
    usersSince: usersSince(input, isUsers),
  };
  const doubted = new Map<Pid, ProcessRow>();
  return {
    isUsers,
    doubtAbout: (cluster, root) => {
      const doubt = doubtOf(doubting, cluster, root);
      if (doubt !== null) doubted.set(root.row.pid, root.row);
      return doubt;
    },
    witnesses: () => witnessesAfter(input, { agents, opened, isUsers, doubted }),
  };
};
