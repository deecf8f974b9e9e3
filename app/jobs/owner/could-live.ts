import { knownBy } from '../../model/owner-sign.ts';
import type { AgentId } from '../../agents/common/agent-id.ts';
import { couldBeAnyAgent } from '../../agents/contained-in.ts';
import { isIdleSpare, isUpdater, signatureOf } from '../../agents/signatures.ts';
import { asPid } from '../../process/identity.ts';
import { type ProcessRow, hasEnded, mayStillLive } from '../../process/row.ts';
import { isAdopter } from '../lineage/adopter.ts';
import { lineageOf } from '../lineage/lineage.ts';
import type { ProcessRef } from '../ledger/ledger.ts';
import { type AgentWitness, livingOf, maxWitnesses } from '../lineage/witness.ts';
import { isOnEverything, ownerPidOf, sameClaim } from '../lineage/claims.ts';
import type { AgentSession } from '../../model/session.ts';
import type { Owner } from '../../model/job.ts';
import { live, unknown } from './answers.ts';
import { isBroker } from './broker.ts';
import { namedLikeAgent, strangeParent } from './stranger.ts';
import { couldOwnBy, type OwnerWorld, type Subject } from './world.ts';

/** Processes may be hidden, and what is known of its agent could be one of them. */
export const hidesProcesses = ({ table, tree }: OwnerWorld, { seen }: Subject): Owner | null => {
  // Another process has the pid of what was seen: that one has ended for certain.
  const isReplaced = seen !== null && tree.row(asPid(seen.pid)) !== undefined;
  return table.complete || isReplaced ? null : unknown(knownBy('the machine does not show all processes'));
};

const entriesOf = (
  { directory }: OwnerWorld,
  { agent, session }: Pick<Subject, 'agent' | 'session'>,
): readonly AgentSession[] =>
  session === null ? [] : directory.sessions.filter((one) => one.agent === agent && one.id === session);

/** Its session is on record, and what is recorded is not proved dead. */
export const hasUnsureEntry = (world: OwnerWorld, { kind, agent, session, named, seen }: Subject): Owner | null => {
  const entries = entriesOf(world, { agent, session });
  const unsure = entries.filter((one) => one.state === 'unknown');
  // The pid in the marks means no process here.
  const isElsewhere = named !== null && unsure.some((one) => one.pid === null);
  if (kind === 'server' && seen !== null) return null;
  if (isElsewhere) return unknown(knownBy('its session is registered in another pid namespace or on another machine'));
  if (kind === 'command') return unsure.length === 0 ? null : unknown(knownBy('its session may still be running'));
  const runs = named === null && entries.some((one) => one.state !== 'gone');
  return runs ? unknown(knownBy('its session may still be running')) : null;
};

/** A process that was recorded as its owner by a hook, a lock file or a registry lives. */
export const claimantLives = ({ table, tree }: OwnerWorld, subject: Subject): Owner | null => {
  for (const one of couldOwnBy(subject)) {
    if (one.claims !== true) continue;
    const row = tree.row(asPid(one.pid));
    if (row === undefined || !mayStillLive(row, one)) continue;
    return row.startTicks === one.startTicks
      ? {
          ...live(
            table,
            row,
            knownBy('agent process {pid}, which was recorded with its session, is running', { pid: row.pid }),
          ),
          claimant: true,
        }
      : unknown(
          knownBy('process {pid} may be its agent: another reader noted when that one started', { pid: row.pid }),
        );
  }
  return null;
};

/**
 * The part of its agent that had started the one which a look saw lives: it may start another one
 * that goes on. Of an agent that names its sessions their record tells.
 */
export const launcherLives = ({ tree, before }: OwnerWorld, { seen, session, agent }: Subject): Owner | null => {
  if (seen === null || session !== null) return null;
  const own = before.find(
    (one) => one.kind === 'agent' && one.agent === agent && one.pid === seen.pid && one.startTicks === seen.startTicks,
  );
  const launcher = own?.kind === 'agent' ? own.launcher : undefined;
  return launcher === undefined || livingOf(tree, launcher) === undefined
    ? null
    : unknown(knownBy('process {pid}, which had started its agent, is running', { pid: launcher.pid }));
};

/**
 * What stood between its agent and it lives. Where the program that users call is only a launcher,
 * that is the agent, under a name that no signature knows: see `isUnderStranger`, of what lost it.
 */
export const starterLives = ({ tree }: OwnerWorld, subject: Subject): Owner | null => {
  const starter = couldOwnBy(subject)
    .filter(({ starts }) => starts === true)
    .map((one) => livingOf(tree, one))
    .find((row) => row !== undefined && !subject.isPart(row));
  return starter === undefined
    ? null
    : unknown(knownBy('process {pid}, which may have started it, is running', { pid: starter.pid }));
};

/** A part of the registry can't be read: it may say that its session goes on. */
export const hasUnclearRegistry = ({ directory }: OwnerWorld, { agent, session }: Subject): Owner | null => {
  if (directory.opaqueFor.has(agent))
    return unknown(knownBy('another session, which may have taken it over, could not be looked into'));
  const entry = directory.unclear.find(
    (one) => one.agent === agent && (one.session === null || session === null || one.session === session),
  );
  return entry === undefined
    ? null
    : unknown(knownBy("{source}, which may name its session, can't be read", { source: entry.source }));
};

/** An agent's processes whose session is known, with their parts above and below. */
const accountedFor = ({ directory, agents }: OwnerWorld, agent: AgentId): ReadonlySet<number> => {
  const known = new Set<number>();
  for (const one of directory.sessions)
    if (one.agent === agent && one.id !== null && one.state === 'live' && one.pid !== null) known.add(one.pid);
  const rows = agents.filter((one) => one.agent === agent).map(({ row }) => row);
  for (let grows = true; grows;) {
    const before = known.size;
    for (const row of rows) {
      if (known.has(row.ppid)) known.add(row.pid);
      if (known.has(row.pid) && rows.some(({ pid }) => pid === row.ppid)) known.add(row.ppid);
    }
    grows = known.size > before;
  }
  return known;
};

/** Parts of an agent that run no session: what keeps it up to date, a spare, a server of tools. */
const runsNoSession = (agent: AgentId, { argv }: ProcessRow): boolean =>
  argv[1] === 'daemon' || argv[1] === 'mcp' || isUpdater(agent, argv) || isIdleSpare(agent, argv);

/** Of another user only where a process of this one started it: a command can change its user. */
const isOfUser = ({ table, tree }: OwnerWorld, row: ProcessRow): boolean =>
  row.uid === table.uid || tree.ancestors(row.pid).some(({ uid, pid }) => pid !== 1 && uid === table.uid);

/**
 * A living process of its agent is on no record, so that it may have its session: `/resume` takes
 * one into an older process, too. Agents that name no session in their marks take none over.
 */
export const hasUnlistedAgent = (world: OwnerWorld, subject: Subject): Owner | null => {
  const { agent, session, begunTicks } = subject;
  if (session === null) return null;
  const known = accountedFor(world, agent);
  const unlisted = world.agents.find(
    (one) =>
      one.agent === agent &&
      !known.has(one.row.pid) &&
      !runsNoSession(agent, one.row) &&
      isOfUser(world, one.row) &&
      world.cannotOwn?.(one.row, begunTicks) !== true,
  );
  return unlisted === undefined
    ? null
    : unknown(
        knownBy('process {pid}, which may have resumed its session, is in no registry', { pid: unlisted.row.pid }),
      );
};

/** No look that saw one of them saw the other: it began after that had ended, or just before. */
const isSuccessor = ({ before }: OwnerWorld, ended: ProcessRef, row: ProcessRow): boolean => {
  const witnessOf = ({ pid, startTicks }: ProcessRef): AgentWitness | undefined =>
    before.filter((one) => one.kind === 'agent').find((one) => one.pid === pid && one.startTicks === startTicks);
  const own = witnessOf(row);
  const other = witnessOf(ended);
  // Others may have taken its place.
  if (other === undefined && before.filter(({ kind }) => kind === 'agent').length >= maxWitnesses) return true;
  return own === undefined || (own.followsTicks ?? 0) >= (other?.endedTicks ?? Infinity);
};

/**
 * Another process of an agent that names no session lives, and may go on with that of one which
 * looks saw: one that began after that (`--resume`, an application that was started again); of an
 * agent that marks nothing any.
 */
export const mayGoOnElsewhere = (world: OwnerWorld, subject: Subject): Owner | null => {
  const { agent, session, seen, named, begunTicks } = subject;
  const ended = seen !== null ? [seen] : named === null ? couldOwnBy(subject) : [];
  if (session !== null || ended.length === 0) return null;
  const marksNothing = signatureOf(agent).environmentNames.length === 0;
  const other = world.agents.find(
    ({ agent: its, row }) =>
      its === agent &&
      (marksNothing || ended.some((one) => isSuccessor(world, one, row))) &&
      !runsNoSession(agent, row) &&
      isOfUser(world, row) &&
      world.cannotOwn?.(row, begunTicks) !== true,
  );
  return other === undefined
    ? null
    : unknown(knownBy('process {pid} of the same agent is running and could own it', { pid: other.row.pid }));
};

/**
 * The same of a program that could be its agent by its name: an update, or another release, that
 * goes on with the session of one which looks saw (`codex-nightly resume`). Where the registry is
 * complete, that tells who has it. What hangs below an agent is a helper of that.
 */
export const mayGoOnAsOther = (world: OwnerWorld, subject: Subject): Owner | null => {
  const { agent, session, seen, named, isPart } = subject;
  const ended = seen !== null ? [seen] : named === null ? couldOwnBy(subject) : [];
  if (ended.length === 0 || (session !== null && world.directory.completeFor.has(agent))) return null;
  // One that names its sessions takes one into an older process, too.
  const sinceTicks = session === null ? Math.min(...ended.map(({ startTicks }) => startTicks)) : 0;
  const other = namedLikeAgent(world, subject).find(
    (row) =>
      row.startTicks >= sinceTicks &&
      !isPart(row) &&
      !runsNoSession(agent, row) &&
      isOfUser(world, row) &&
      lineageOf(world, row).end?.program == null,
  );
  return other === undefined
    ? null
    : unknown(knownBy('process {pid} could be its agent by the name of its program', { pid: other.pid }));
};

/** Living programs that are agents, or contain one by their names, and carry marks of a call. */
export const innerAgents = ({ table, profileOf }: Pick<OwnerWorld, 'table' | 'profileOf'>): readonly ProcessRow[] =>
  [...table.rows.values()].filter((row) => {
    const { claims, program } = profileOf(row);
    return claims.length > 0 && (program !== null || couldBeAnyAgent(row));
  });

/**
 * An agent that a tool call of its session started lives, with the same marks. What that agent has
 * in the background inherits them: it can't be told from what the call itself left.
 */
export const hasInnerAgent = (world: OwnerWorld, { claim, begunTicks }: Subject): Owner | null => {
  if (claim === null) return null;
  const inner = world.inner.find(
    (row) =>
      row.startTicks <= begunTicks &&
      world.profileOf(row).claims.some(
        // What an agent has in its own environment is handed on to all its parts.
        (other) => sameClaim(other, claim) && !isOnEverything(other) && ownerPidOf(other) !== row.pid,
      ),
  );
  return inner === undefined
    ? null
    : unknown(
        knownBy('process {pid}, an agent that was started within its session, is running and could own it', {
          pid: inner.pid,
        }),
      );
};

/** The pid in its marks can be of another pid namespace: of what was there when it began. */
export const isOfNamespace = (
  { evidence }: OwnerWorld,
  { named, sandboxed, seen, begunTicks }: Subject,
): Owner | null => {
  if (seen !== null) return null;
  if (sandboxed) return unknown(knownBy('its marks were made in a sandbox with pids of its own'));
  const inside = named === null ? null : (evidence.namedInside?.(named, { ticks: begunTicks }) ?? null);
  return inside === null || named === null
    ? null
    : unknown(knownBy('process {inside} is process {named} in a pid namespace of its own', { inside, named }));
};

/** What runs commands for sandboxes is above it: its marks name a pid of the sandbox. */
export const isOfBroker = (_world: OwnerWorld, { seen, chain }: Subject): Owner | null => {
  const broker = seen === null ? chain.find(isBroker) : undefined;
  return broker === undefined
    ? null
    : unknown(knownBy('process {pid} runs commands for sandboxes', { pid: broker.pid }));
};

/** A living process of its agent runs what other processes of it show, and is older. */
export const isOfSharedServer = (world: OwnerWorld, { kind, agent, named, seen, row: own }: Subject): Owner | null => {
  const { sharedServer } = signatureOf(agent);
  if (sharedServer === 'none' || named === null || seen !== null) return null;
  const found = world.agents.find(
    ({ agent: other, row }) => other === agent && row.startTicks <= own.startTicks && sharedServer(row.argv),
  );
  if (found === undefined) return null;
  const { pid } = found.row;
  return unknown(
    kind === 'server'
      ? knownBy('process {pid} runs the servers of many sessions and could own it', { pid })
      : knownBy('process {pid} runs the commands of many sessions and could own it', { pid }),
  );
};

/**
 * What it hangs below may be the agent under a name that no signature knows: its parent, or that of
 * another command of its session; or what the agent that was seen had started, where the program
 * that users call is only its launcher (Qwen Code 0.24 runs `node …/cli.js` below `qwen`,
 * observed). What adopts orphans is an ancestor of the agent, so it is older.
 */
export const isUnderStranger = (world: OwnerWorld, subject: Subject): Owner | null => {
  const { seen, chain, isPart, named, agent, session, row } = subject;
  if (seen !== null) {
    const starter = chain.find((one) => one.startTicks > seen.startTicks && !hasEnded(one) && !isPart(one));
    return starter === undefined
      ? null
      : unknown(knownBy('process {pid}, which its agent had started, is running above it', { pid: starter.pid }));
  }
  if (named !== null) return null;
  const possible = strangeParent(world, row) ?? world.possible(agent, session);
  return possible === null
    ? null
    : unknown(knownBy('process {pid}, which may have started it, is running', { pid: possible.pid }));
};

/** A folder as Claude Code writes it in names of files. */
export const slugOf = (folder: string): string => folder.replaceAll(/[^A-Za-z0-9]/g, '-');

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

/**
 * Agents of this kind that live now and could have started a job of this age: no younger than it.
 * Of every user: a command can change its user.
 */
export const agentsOlderThan = (
  { agents, cannotOwn }: Pick<OwnerWorld, 'agents' | 'cannotOwn'>,
  agent: AgentId,
  begunTicks: number,
): readonly ProcessRow[] =>
  agents
    .filter((one) => one.agent === agent && one.row.startTicks <= begunTicks && !isUpdater(agent, one.row.argv))
    .map(({ row }) => row)
    .filter((row) => cannotOwn?.(row, begunTicks) !== true);

/**
 * Nothing tells which process started it, and a living one of its agent could have: all that are no
 * younger, but those whose session is known to be another one's.
 */
export const mayBeAnothers = (world: OwnerWorld, subject: Subject): Owner | null => {
  const { agent, named, seen, session, slugs, begunTicks } = subject;
  if (named !== null || seen !== null) return null;
  const { directory } = world;
  const isRecorded = entriesOf(world, subject).some((one) => one.state === 'gone' && one.pid !== null);
  const others = directory.sessions.filter(
    (one) =>
      one.agent === agent &&
      one.state === 'live' &&
      one.pid !== null &&
      one.id !== null &&
      (isRecorded || isElsewhere(one, slugs)),
  );
  const accounted = new Set(session !== null && directory.completeFor.has(agent) ? others.map((one) => one.pid) : []);
  const other = agentsOlderThan(world, agent, begunTicks).find((row) => !accounted.has(row.pid));
  return other === undefined
    ? null
    : unknown(knownBy('process {pid} of the same agent is running and could own it', { pid: other.pid }));
};

/** A living process of its agent shares the process group or kernel session of a server. */
export const sharesGroup = ({ tree, profileOf }: OwnerWorld, { agent, named, seen, row }: Subject): Owner | null => {
  if (named !== null || seen !== null) return null;
  const isAgent = (mate: ProcessRow): boolean =>
    !hasEnded(mate) && profileOf(mate).program === agent && mate.startTicks <= row.startTicks;
  const mates = [...tree.group(row.pgid), ...(Number(row.sid) === Number(row.pid) ? [] : tree.session(row.sid))];
  const other = mates.find(isAgent);
  if (other !== undefined)
    return unknown(knownBy('process {pid} of the same agent is running and could own it', { pid: other.pid }));
  const leader = tree.row(asPid(Number(row.pgid)));
  return leader !== undefined && leader !== row && !hasEnded(leader) && !isAdopter(leader)
    ? unknown(knownBy('process {pid}, which leads its process group, is running', { pid: leader.pid }))
    : null;
};
