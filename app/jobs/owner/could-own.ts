import type { AgentId } from '../../agents/common/agent-id.ts';
import type { LedgerEntry, SeenAgent } from '../ledger/ledger.ts';
import type { OwnerInput } from './owner-process.ts';
import { agentsOlderThan } from './owner-session.ts';
import type { Root } from '../lineage/root.ts';

const maxCouldOwn = 64;

/**
 * The agents that could own a job, as far as they were seen alive at this look or an earlier one.
 */
export const couldOwnOf = (
  input: OwnerInput,
  agents: ReadonlySet<AgentId>,
  entry: LedgerEntry | null,
  begunTicks: number,
): readonly SeenAgent[] => {
  const before = entry?.couldOwn ?? [];
  const added = [...agents].flatMap((agent) =>
    agentsOlderThan(input, agent, begunTicks)
      .filter((row) => !before.some(({ pid, startTicks }) => pid === row.pid && startTicks === row.startTicks))
      .map(({ pid, startTicks }) => ({ agent, pid, startTicks })),
  );
  return added.length === 0 ? before : [...before, ...added].slice(0, maxCouldOwn);
};

/** The agents that marked a job. */
export const agentsOf = (roots: readonly Root[], told: AgentId): ReadonlySet<AgentId> =>
  new Set([
    told,
    ...roots.flatMap(({ proof }) =>
      proof.kind === 'claim' ? [proof.claim, ...proof.others].map(({ agent }) => agent) : [],
    ),
  ]);
