import { knownBy } from '../../model/owner-sign.ts';
import type { AgentId } from '../../agents/common/agent-id.ts';
import type { Claim } from '../../agents/common/claim.ts';
import type { Pid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { goneBefore, type ProcessRef } from '../ledger/ledger.ts';
import { ownerPidOf, sessionOf } from '../lineage/claims.ts';
import type { Cluster } from '../lineage/cluster.ts';
import type { Root } from '../lineage/root.ts';
import type { TableView } from '../lineage/table-view.ts';
import type { AgentWitness } from '../lineage/witness.ts';
import type { Owner } from '../../model/job.ts';
import { live, safest, unknown } from './answers.ts';
import { isBroker } from './broker.ts';
import { innerAgents, slugOf } from './could-live.ts';
import { wasGone } from './ended.ts';
import { isTakenOver } from './living.ts';
import { decide } from './rules.ts';
import { anyStranger, strangeParent } from './stranger.ts';
import type { OwnerWorld, Subject } from './world.ts';

const nothingTells = knownBy('nothing tells which session it belongs to');

/** Marked by something that names no session, and not the agent's own name either. */
const isNameless = ({ marker }: Claim): boolean => marker?.kind === 'bare' && marker.named !== true;

const keyOf = (agent: AgentId, session: string | null): string => `${agent} ${session ?? ''}`;

/**
 * Parents that may be an agent under a name that no signature knows (a fork, a renamed binary, an
 * application with the agent built in), by what the marks below them name. Where one shell of a
 * session still has such a parent, what came loose from the same session is no orphan either.
 */
export const possibleAgents = (
  world: Pick<OwnerWorld, 'tree' | 'profileOf'>,
  roots: readonly Root[],
): OwnerWorld['possible'] => {
  const found = new Map<string, ProcessRow>();
  for (const { row, proof } of roots) {
    if (proof.kind !== 'claim' || isNameless(proof.claim)) continue;
    const parent = strangeParent(world, row);
    if (parent !== null) found.set(keyOf(proof.claim.agent, sessionOf(proof.claim)), parent);
  }
  return (agent, session) => found.get(keyOf(agent, session)) ?? null;
};

/** What owners are worked out from in one table. `roots`: those of all its commands. */
export const ownerWorldOf = (
  view: TableView & Pick<OwnerWorld, 'directory' | 'before' | 'cannotOwn'>,
  roots: readonly Root[],
): OwnerWorld => ({
  ...view,
  agents: [...view.table.rows.values()].flatMap((row) => {
    const { program } = view.profileOf(row);
    return program === null ? [] : [{ agent: program, row }];
  }),
  inner: innerAgents(view),
  possible: possibleAgents(view, roots),
});

/** The agent that a look saw under a marked pid: alive when the job began, as far as seen. */
export const seenUnder = (
  { before, evidence }: Pick<OwnerWorld, 'before' | 'evidence'>,
  agent: AgentId,
  pid: Pid | null,
  begunTicks: number,
): ProcessRef | null => {
  if (pid === null || evidence.namedInside?.(pid, { ticks: begunTicks }) != null) return null;
  const isIt = (one: OwnerWorld['before'][number]): one is AgentWitness =>
    one.kind === 'agent' &&
    one.agent === agent &&
    one.pid === pid &&
    // Of the same tick it can't be told which was first.
    one.startTicks < begunTicks &&
    (one.endedTicks === null || one.endedTicks > begunTicks);
  const seen = before.filter(isIt);
  // Two of that pid: which of them it was can't be told.
  const [only] = seen;
  return only === undefined || seen.length > 1 ? null : { pid: only.pid, startTicks: only.startTicks };
};

/** Ticks of the job's oldest known part: what it forks while being ended is far younger. */
const begunTicksOf = ({ row }: Root, { entry }: Cluster): number =>
  Math.min(row.startTicks, entry?.root.startTicks ?? row.startTicks);

/** The agent's process that a hook, or a glimpse between two looks, saw it below. */
const seenAbove = ({ evidence }: OwnerWorld, agent: AgentId, row: ProcessRow): ProcessRef | null => {
  const descent = evidence.descentOf?.(row) ?? null;
  return descent?.from === 'agent' && descent.proof.agent === agent ? (descent.below ?? null) : null;
};

/** What is asked of one root of a job: whose it is by one claim, or by what is remembered of it. */
const subjectOf = (
  world: OwnerWorld,
  cluster: Cluster,
  root: Root,
  by: Pick<Subject, 'agent' | 'session' | 'claim'> & { readonly seen?: ProcessRef | null },
): Subject => {
  const { entry, output } = cluster;
  const { agent, claim } = by;
  const sandboxed = claim?.marker?.kind === 'tool' && claim.marker.sandboxed === true;
  // Below a broker the marks name a pid of the sandbox, whatever process has that number here.
  const named = claim === null || sandboxed || root.lineage.chain.some(isBroker) ? null : ownerPidOf(claim);
  const begunTicks = begunTicksOf(root, cluster);
  const above = by.seen ?? (entry?.agent === agent ? entry.owner : null) ?? seenAbove(world, agent, root.row);
  return {
    kind: 'command',
    agent,
    row: root.row,
    chain: root.lineage.chain,
    begunTicks,
    session: by.session,
    named,
    sandboxed,
    claim,
    seen: above ?? seenUnder(world, agent, named, begunTicks),
    isPart: (row) =>
      entry?.members.some(({ pid, startTicks }) => pid === row.pid && startTicks === row.startTicks) === true,
    slugs: [output?.match.projectSlug ?? null, entry?.project == null ? null : slugOf(entry.project)].filter(
      (slug) => slug !== null,
    ),
    entry,
    endsClosed: false,
  };
};

const ofClaim = (world: OwnerWorld, cluster: Cluster, root: Root, claim: Claim): Owner => {
  if (claim.shell?.elsewhere === true) return unknown(knownBy('its agent runs on another machine'));
  const session = sessionOf(claim) ?? cluster.output?.match.session ?? cluster.entry?.session ?? null;
  const subject = subjectOf(world, cluster, root, { agent: claim.agent, session, claim });
  const { seen, named } = subject;
  if (seen === null && isNameless(claim)) return unknown(knownBy('its marker names no session'));
  if (seen === null && claim.marker?.kind === 'bare') {
    const stranger = anyStranger(world, subject);
    if (stranger !== null)
      return unknown(knownBy('process {pid} could be the agent that calls itself so', { pid: stranger.pid }));
  }
  // At an earlier look another part of the job had an owner that lives: an agent within it, whose
  // own calls say nothing by themselves any more.
  if (seen !== null && named !== null && seen.pid !== Number(named))
    return safest([decide(world, subject), decide(world, { ...subject, seen: null })], nothingTells);
  return decide(world, subject);
};

const ofRoot = (world: OwnerWorld, cluster: Cluster, root: Root): Owner => {
  const { end } = root.lineage;
  if (end?.program != null)
    return live(world.table, end.row, knownBy('agent process {pid} is running', { pid: end.row.pid }));
  const { proof } = root;
  switch (proof.kind) {
    case 'claim':
      return safest(
        [proof.claim, ...proof.others].map((claim) => ofClaim(world, cluster, root, claim)),
        nothingTells,
      );
    case 'ledger':
    case 'output': {
      const agent = proof.kind === 'output' ? proof.output.agent : proof.entry.agent;
      const session = (proof.kind === 'output' ? proof.output.match.session : proof.entry.session) ?? null;
      const subject = subjectOf(world, cluster, root, { agent, session, claim: null });
      // What is left carries less than what went before it did: an owner that was known to be gone
      // does not come back by that.
      const ended = wasGone(world, subject);
      return ended === null ? decide(world, subject) : (isTakenOver(world, subject) ?? ended);
    }
    case 'parent': {
      const { agent, ended } = proof;
      if (ended === null) return unknown(nothingTells);
      return decide(world, subjectOf(world, cluster, root, { agent, session: null, claim: null, seen: ended }));
    }
    case 'rule':
      return unknown(nothingTells);
  }
};

/**
 * Whose a job is. Where its parts disagree, or where several agents marked it (one started inside
 * another's tool shell), the answer under which the fewest processes are ended counts. `gone`
 * remembers since when through the ledger.
 */
export const ownerOf = (world: OwnerWorld, cluster: Cluster): Owner => {
  const owner = safest(
    cluster.roots.map((root) => ofRoot(world, cluster, root)),
    nothingTells,
  );
  const since = cluster.entry?.ownerGoneSinceMs ?? null;
  return owner.state === 'gone' && since !== null && since !== goneBefore ? { ...owner, sinceMs: since } : owner;
};
