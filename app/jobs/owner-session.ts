import type { AgentId } from '../agents/agent-id.ts';
import { isCodexUpdater } from '../agents/codex.ts';
import type { ProcessRow } from '../process/row.ts';
import { isAdopter } from './adopter.ts';
import { sessionOf } from './claims.ts';
import type { Cluster } from './cluster.ts';
import type { Owner } from './job.ts';
import type { OwnerInput } from './owner-process.ts';
import { gone, successor, unknown } from './owner-process.ts';
import type { Root } from './root.ts';
import type { AgentSession } from './session.ts';

/**
 * Agents of this kind that live now and could have started the job: older than it, and not known to be busy with another session. The job is as
 * old as the ledger knows it to be: what a job forked while it was ended was said to be of an agent that had come long after it.
 */
const couldOwn = (
  input: OwnerInput,
  { entry }: Cluster,
  agent: AgentId,
  root: Root,
  accounted: ReadonlySet<number>,
): ProcessRow | null => {
  const begunTicks = Math.min(root.row.startTicks, entry?.root.startTicks ?? root.row.startTicks);
  return (
    input.agents.find(
      (one) =>
        one.agent === agent &&
        one.row.uid === input.table.uid &&
        one.row.startTicks <= begunTicks &&
        !accounted.has(one.row.pid) &&
        !isCodexUpdater(one.row.argv),
    )?.row ?? null
  );
};

/** The parent that started it may still be there under a name that no signature knows: then nothing is gone. */
const strangeParent = (input: Pick<OwnerInput, 'tree' | 'originOf'>, root: Root): ProcessRow | null => {
  const parent = input.tree.row(root.row.ppid);
  return parent !== undefined && !isAdopter(parent) && input.originOf(parent).program === null ? parent : null;
};

const keyOf = (agent: AgentId, session: string | null): string => `${agent} ${session ?? ''}`;

/**
 * Parents that may be an agent under a name that no signature knows (a fork, a renamed binary, an application with the agent built in),
 * by what the marks below them name. Where one shell of a session still has such a parent, what came loose from the same session is no
 * orphan either.
 */
export const possibleAgents = (
  input: Pick<OwnerInput, 'tree' | 'originOf'>,
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

/** The process that may be its agent: above itself, or above another command of the same session. */
const possibleAgent = (input: OwnerInput, agent: AgentId, session: string | null, root: Root): ProcessRow | null =>
  strangeParent(input, root) ?? input.possible(agent, session);

const slugOf = (folder: string): string => folder.replaceAll(/[^A-Za-z0-9]/g, '-');

/**
 * True when that session is known to be about another project. A session that is merely another one now proves less: the same process
 * can have had this one before (`/clear`, `/resume`: Claude Code writes the new id over the old in its registry; read in 2.1.197).
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

/** Of a job that names its session and no process. Gone only when no living agent of its kind can have had that session. */
export const ofSession = (input: OwnerInput, cluster: Cluster, agent: AgentId, session: string, root: Root): Owner => {
  const next = successor(input, agent, session);
  if (next !== null) return next;
  const entries = input.directory.sessions.filter((one) => one.agent === agent && one.id === session);
  if (entries.some((one) => one.state === 'unknown')) return unknown('its session may still be running');
  const possible = possibleAgent(input, agent, session, root);
  if (possible !== null) return unknown(`process ${possible.pid}, which may have started it, is running`);
  const ended = entries.find((one) => one.state === 'gone');
  const slugs = projectSlugs(cluster);
  const isAnothers = (one: AgentSession): boolean =>
    one.agent === agent &&
    one.state === 'live' &&
    one.pid !== null &&
    one.id !== null &&
    (ended !== undefined || isElsewhere(one, slugs));
  const accounted = input.directory.completeFor.has(agent)
    ? new Set(input.directory.sessions.filter(isAnothers).map((one) => Number(one.pid)))
    : new Set<number>();
  const other = couldOwn(input, cluster, agent, root, accounted);
  if (other !== null) return unknown(`process ${other.pid} of the same agent is running and could own it`);
  if (!input.table.complete) return unknown('the machine does not show all processes');
  return gone(
    ended === undefined ? 'its session is not among the living ones' : `${ended.source}: its process has ended`,
  );
};

/** Of a job that names nothing but its agent. Gone only when no living one of its kind is older than the job. */
export const ofMarkerAlone = (input: OwnerInput, cluster: Cluster, agent: AgentId, root: Root): Owner => {
  const possible = possibleAgent(input, agent, null, root);
  if (possible !== null) return unknown(`process ${possible.pid}, which may have started it, is running`);
  const other = couldOwn(input, cluster, agent, root, new Set());
  if (other !== null) return unknown(`process ${other.pid} of the same agent is running and could own it`);
  if (!input.table.complete) return unknown('the machine does not show all processes');
  return gone('no process of its agent that could own it is left');
};
