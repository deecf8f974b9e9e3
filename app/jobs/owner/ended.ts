import { knownBy } from '../../model/owner-sign.ts';
import { asPid } from '../../process/identity.ts';
import { hasEnded, mayStillLive } from '../../process/row.ts';
import { isAdopter } from '../lineage/adopter.ts';
import type { Owner } from '../../model/job.ts';
import { gone, unknown } from './answers.ts';
import { anyStranger, namedLikeAgent } from './stranger.ts';
import { maxCouldOwn } from './could-own.ts';
import { couldOwnBy, type OwnerWorld, type Subject } from './world.ts';

/** When an earlier look saw the agent alive: the wall clock of its end, as observed. */
const sinceMs = ({ table, before }: OwnerWorld, { kind, seen }: Subject): number | null => {
  // Of a command the ledger remembers it.
  if (seen === null || kind === 'command') return null;
  const one = before.find(
    ({ kind: what, pid, startTicks }) => what === 'agent' && pid === seen.pid && startTicks === seen.startTicks,
  );
  if (one?.kind !== 'agent') return null;
  const endedTicks = one.endedTicks ?? table.nowTicks;
  return Math.round(table.takenAtMs - ((table.nowTicks - endedTicks) / table.ticksPerSecond) * 1000);
};

/** The process that was seen as its agent has ended: no rule before this one found it alive. */
export const seenEnded = (world: OwnerWorld, subject: Subject): Owner | null =>
  subject.seen === null
    ? null
    : gone(knownBy('agent process {pid} is gone', { pid: subject.seen.pid }), sinceMs(world, subject));

/** A program that could be its agent by its name lives, and could have started it. */
export const isLike = (world: OwnerWorld, subject: Subject): Owner | null => {
  const row = namedLikeAgent(world, subject).find(({ startTicks }) => startTicks <= subject.begunTicks);
  return row === undefined
    ? null
    : unknown(knownBy('process {pid} could be its agent by the name of its program', { pid: row.pid }));
};

/** The agent's own record says it, with pid and start, or where it is complete and lacks it. */
export const registryTells = (world: OwnerWorld, subject: Subject): Owner | null => {
  const { agent, session, kind, named } = subject;
  if (session === null) return null;
  const { directory } = world;
  const entries = directory.sessions.filter((one) => one.agent === agent && one.id === session);
  const ended = entries.find((one) => one.state === 'gone' && one.claimant !== true);
  // The registry names the process of the session: no other program can be it.
  if (ended?.pid != null) return gone(knownBy('{source}: its process has ended', { source: ended.source }));
  if (kind === 'server' && named !== null) return null;
  const isUnlisted =
    entries.length === 0 && directory.completeFor.has(agent) && directory.hasTranscript(agent, session);
  if (ended === undefined && !isUnlisted) return null;
  return (
    isLike(world, subject) ??
    gone(
      ended === undefined
        ? knownBy('its session is not among the living ones')
        : knownBy('{source}: the session has ended', { source: ended.source }),
    )
  );
};

/**
 * A tool shell whose agent was seen to be dead, by the kernel: an agent of this kind starts its
 * shells itself, as leaders of a kernel session, and only a process whose parent has ended is given
 * to an adopter. A shell that was forked off in the call has the same command line and leads
 * nothing.
 */
export const shellLostAgent = ({ tree, evidence }: OwnerWorld, { agent, claim, row }: Subject): Owner | null => {
  if (claim === null || claim.shell === null || Number(row.sid) !== Number(row.pid)) return null;
  if (evidence.signature(agent)?.toolShells !== 'child-session') return null;
  const parent = tree.row(row.ppid);
  return parent !== undefined && isAdopter(parent)
    ? gone(knownBy('its tool shell has lost its parent, which was its agent'))
    : null;
};

/** It was known to have ended. A job's rest carries fewer marks: no owner comes back by that. */
export const wasGone = (_world: OwnerWorld, { entry }: Subject): Owner | null =>
  entry === null || entry.ownerGoneSinceMs === null
    ? null
    : gone(knownBy('its session had ended when the rest of it was still there'));

/** Its session is on record with a process, and none that is recorded with it lives or may live. */
const isRecordedAsEnded = ({ directory }: OwnerWorld, { agent, session }: Subject): boolean => {
  const entries = directory.sessions.filter((one) => one.agent === agent && one.id === session);
  return entries.some(({ pid }) => pid !== null) && entries.every(({ state }) => state === 'gone');
};

/** All its agent's possible owners were seen and ended; or one lives, or a possible stranger. */
export const couldOwnEnded = (world: OwnerWorld, subject: Subject): Owner | null => {
  if (subject.named !== null) return null;
  const seen = couldOwnBy(subject);
  if (seen.some((one) => mayStillLive(world.tree.row(asPid(one.pid)), one)))
    return unknown(knownBy('an agent that could own it is running'));
  if (seen.length >= maxCouldOwn) return null;
  if (seen.length > 0) return gone(knownBy('every process of its agent that could own it was seen, and has ended'));
  // A stranger that had taken its session over would be on record itself.
  if (isRecordedAsEnded(world, subject)) return null;
  const stranger = anyStranger(world, subject);
  return stranger === null
    ? null
    : unknown(knownBy('no agent that could own it is known, and process {pid} could be one', { pid: stranger.pid }));
};

/** Its own ends are closed, and no process has the pid that its marks name. */
export const endsClosed = (_world: OwnerWorld, { named, endsClosed: closed }: Subject): Owner | null =>
  closed && named !== null ? gone(knownBy('agent process {named} is gone', { named })) : null;

/**
 * By the process group that the agent, or its launcher, led: no pid is given out while it names a
 * living group, so a leader that isn't there has ended.
 */
export const groupLeaderEnded = ({ tree }: OwnerWorld, { row, named }: Subject): Owner | null => {
  if (named !== null) return null;
  if (Number(row.pgid) <= 1) return unknown(knownBy('its process group is of another pid namespace'));
  const leader = tree.row(asPid(Number(row.pgid)));
  return leader === undefined || hasEnded(leader)
    ? gone(knownBy('the process that led the group of its agent is gone'))
    : null;
};
