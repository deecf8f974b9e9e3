import type { AgentId } from '../../agents/common/agent-id.ts';
import type { LedgerEntry, ProcessRef, SeenAgent } from '../ledger/ledger.ts';
import type { Owner } from '../../model/job.ts';
import { agentsOlderThan } from './could-live.ts';
import type { Root } from '../lineage/root.ts';
import type { OwnerWorld } from './world.ts';

/** A full list may lack some, so that the end of all on it proves nothing. */
export const maxCouldOwn = 64;

const isSame = (left: ProcessRef, right: ProcessRef): boolean =>
  left.pid === right.pid && left.startTicks === right.startTicks;

/** What stands between a living agent and a root, which may be the agent itself: see `starts`. */
const startersOf = ({ lineage: { end, chain } }: Root): readonly SeenAgent[] => {
  const agent = end?.program ?? null;
  return agent === null ? [] : chain.map(({ pid, startTicks }) => ({ agent, pid, startTicks, starts: true }));
};

/**
 * The agents that could own a job, as far as they were seen alive at this look or an earlier one.
 * Those that were recorded as its owner come first.
 */
export const couldOwnOf = (
  world: Pick<OwnerWorld, 'agents' | 'cannotOwn'>,
  agents: ReadonlySet<AgentId>,
  {
    entry,
    begunTicks,
    owner,
    roots,
  }: {
    readonly entry: LedgerEntry | null;
    readonly begunTicks: number;
    readonly owner: Owner;
    readonly roots: readonly Root[];
  },
): readonly SeenAgent[] => {
  const before = entry?.couldOwn ?? [];
  const claimant = owner.state === 'live' && owner.claimant === true ? owner.process : null;
  const added = [
    ...roots.flatMap(startersOf),
    ...[...agents].flatMap((agent) =>
      agentsOlderThan(world, agent, begunTicks).map(({ pid, startTicks }): SeenAgent => ({ agent, pid, startTicks })),
    ),
  ].filter((row) => !before.some((one) => isSame(one, row)));
  const isKnown = claimant === null || before.some((one) => one.claims === true && isSame(one, claimant));
  if (added.length === 0 && isKnown) return before;
  const all = [...before, ...added];
  if (isKnown) return all.slice(0, maxCouldOwn);
  const { pid, startTicks } = claimant;
  const [first] = agents;
  const agent = all.find((one) => isSame(one, claimant))?.agent ?? first;
  const others = all.filter((one) => !isSame(one, claimant));
  return (agent === undefined ? all : [{ agent, pid, startTicks, claims: true as const }, ...others]).slice(
    0,
    maxCouldOwn,
  );
};

/** The agents that marked a job. */
export const agentsOf = (roots: readonly Root[], told: AgentId): ReadonlySet<AgentId> =>
  new Set([
    told,
    ...roots.flatMap(({ proof }) =>
      proof.kind === 'claim' ? [proof.claim, ...proof.others].map(({ agent }) => agent) : [],
    ),
  ]);
