import type { AgentId } from '../../agents/common/agent-id.ts';
import { isUpdater } from '../../agents/signatures.ts';
import { asPid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { mayStillLive } from '../../process/row.ts';
import { sessionOf } from '../lineage/claims.ts';
import type { Cluster } from '../lineage/cluster.ts';
import type { Owner } from '../model/job.ts';
import type { OwnerInput } from './owner-process.ts';
import { begunTicksOf, gone, successor, unclearSession, unknown } from './owner-process.ts';
import { anyStranger, hasLostItsAgent, namedLike, strangeParent } from './owner-stranger.ts';
import type { Root } from '../lineage/root.ts';
import type { AgentSession } from '../model/session.ts';

/**
 * Agents of this kind that live now and could have started a job of this age: older than it. Of
 * every user: a command can change its user.
 */
export const agentsOlderThan = (
  input: Pick<OwnerInput, 'agents' | 'cannotOwn'>,
  agent: AgentId,
  begunTicks: number,
): readonly ProcessRow[] =>
  input.agents
    .filter((one) => one.agent === agent && one.row.startTicks <= begunTicks && !isUpdater(agent, one.row.argv))
    .map(({ row }) => row)
    .filter((row) => input.cannotOwn?.(row, begunTicks) !== true);

/** What the ledger saw of agents that could own the job. */
type Seen = 'none' | 'dead' | 'living';

const seenBefore = (input: OwnerInput, { entry }: Cluster, agent: AgentId): Seen => {
  const marks = entry?.couldOwn?.filter((one) => one.agent === agent) ?? [];
  if (marks.length === 0) return 'none';
  const lives = marks.some(({ pid, startTicks }) => {
    const row = input.table.rows.get(asPid(pid));
    return mayStillLive(row, { startTicks });
  });
  return lives ? 'living' : 'dead';
};

/**
 * The owner of a job where no living agent that is recognised could be it. That alone proves
 * nothing: gone only where a positive observation says so. `proved`: the registry's.
 */
const ofNoLivingAgent = (
  input: OwnerInput,
  cluster: Cluster,
  agent: AgentId,
  root: Root,
  proved: string | null,
): Owner => {
  const begunTicks = begunTicksOf(root, cluster.entry);
  if (!input.table.complete) return unknown('the machine does not show all processes');
  const like = namedLike(input, agent, root, begunTicks);
  if (like !== null) return unknown(`process ${like.pid} could be its agent by the name of its program`);
  if (proved !== null) return gone(proved);
  if (hasLostItsAgent(input, agent, root)) return gone('its tool shell has lost its parent, which was its agent');
  const seen = seenBefore(input, cluster, agent);
  if (seen === 'living') return unknown('an agent that could own it is running');
  if (seen === 'dead') return gone('every process of its agent that could own it was seen, and has ended');
  const stranger = anyStranger(input, agent, root, begunTicks);
  return stranger === null
    ? gone('no process is left that could be its agent')
    : unknown(`no agent that could own it is known, and process ${stranger.pid} could be one`);
};

const keyOf = (agent: AgentId, session: string | null): string => `${agent} ${session ?? ''}`;

/**
 * Parents that may be an agent under a name that no signature knows (a fork, a renamed binary, an
 * application with the agent built in), by what the marks below them name. Where one shell of a
 * session still has such a parent, what came loose from the same session is no orphan either.
 */
export const possibleAgents = (
  input: Pick<OwnerInput, 'tree' | 'profileOf'>,
  roots: readonly Root[],
): OwnerInput['possible'] => {
  const found = new Map<string, ProcessRow>();
  for (const root of roots) {
    if (root.proof.kind !== 'claim' || root.proof.claim.marker?.kind === 'bare') continue;
    const parent = strangeParent(input, root);
    const { claim } = root.proof;
    if (parent !== null) found.set(keyOf(claim.agent, sessionOf(claim)), parent);
  }
  return (agent, session) => found.get(keyOf(agent, session)) ?? null;
};

/**
 * The process that may be its agent: above itself, or above another command of the same session.
 */
const possibleAgent = (input: OwnerInput, agent: AgentId, session: string | null, root: Root): ProcessRow | null =>
  strangeParent(input, root) ?? input.possible(agent, session);

const slugOf = (folder: string): string => folder.replaceAll(/[^A-Za-z0-9]/g, '-');

/**
 * True when that session is known to be about another project. A session that is merely another one
 * now proves less: the same process can have had this one before (`/clear`, `/resume`: Claude Code
 * writes the new id over the old in its registry; read in 2.1.197).
 */
const isElsewhere = (session: AgentSession, slugs: readonly string[]): boolean => {
  if (session.project === null || slugs.length === 0) return false;
  const other = slugOf(session.project);
  return slugs.every((slug) => !`${other}-`.startsWith(`${slug}-`) && !`${slug}-`.startsWith(`${other}-`));
};

const projectSlugs = (cluster: Cluster): readonly string[] => {
  const remembered = cluster.entry?.project ?? null;
  return [cluster.output?.match.projectSlug ?? null, remembered === null ? null : slugOf(remembered)].filter(
    (slug) => slug !== null,
  );
};

/**
 * Of a job that names its session and no process. Gone only when no living agent of its kind can
 * have had that session.
 */
export const ofSession = (input: OwnerInput, cluster: Cluster, agent: AgentId, session: string, root: Root): Owner => {
  const next = successor(input, agent, session);
  if (next !== null) return next;
  const entries = input.directory.sessions.filter((one) => one.agent === agent && one.id === session);
  if (entries.some((one) => one.state === 'unknown')) return unknown('its session may still be running');
  const possible = possibleAgent(input, agent, session, root);
  if (possible !== null) return unknown(`process ${possible.pid}, which may have started it, is running`);
  const begunTicks = begunTicksOf(root, cluster.entry);
  const unclear = unclearSession(input, agent, session, begunTicks);
  if (unclear !== null) return unknown(unclear);
  const ended = entries.find((one) => one.state === 'gone');
  const slugs = projectSlugs(cluster);
  const isAnothers = (one: AgentSession): boolean =>
    one.agent === agent &&
    one.state === 'live' &&
    one.pid !== null &&
    one.id !== null &&
    (ended?.pid != null || isElsewhere(one, slugs));
  const accounted = input.directory.completeFor.has(agent)
    ? new Set(input.directory.sessions.filter(isAnothers).map((one) => Number(one.pid)))
    : new Set<number>();
  const other = agentsOlderThan(input, agent, begunTicks).find((row) => !accounted.has(row.pid));
  if (other !== undefined) return unknown(`process ${other.pid} of the same agent is running and could own it`);
  // The registry names the process of the session: no other program can be it.
  if (ended !== undefined && ended.pid !== null && input.table.complete)
    return gone(`${ended.source}: its process has ended`);
  const isUnlisted = input.directory.completeFor.has(agent) && input.directory.hasTranscript(agent, session);
  const proved =
    ended !== undefined
      ? `${ended.source}: the session has ended`
      : isUnlisted
        ? 'its session is not among the living ones'
        : null;
  return ofNoLivingAgent(input, cluster, agent, root, proved);
};

/**
 * Of a job that names nothing but its agent. Gone only when no living one of its kind is older than
 * the job, and either those that were have been seen to die or nothing lives that could be one.
 */
export const ofMarkerAlone = (input: OwnerInput, cluster: Cluster, agent: AgentId, root: Root): Owner => {
  const possible = possibleAgent(input, agent, null, root);
  if (possible !== null) return unknown(`process ${possible.pid}, which may have started it, is running`);
  const [other] = agentsOlderThan(input, agent, begunTicksOf(root, cluster.entry));
  if (other !== undefined) return unknown(`process ${other.pid} of the same agent is running and could own it`);
  return ofNoLivingAgent(input, cluster, agent, root, null);
};
