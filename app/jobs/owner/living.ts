import { knownBy } from '../../model/owner-sign.ts';
import { asPid } from '../../process/identity.ts';
import { hasEnded, mayStillLive } from '../../process/row.ts';
import type { Owner } from '../../model/job.ts';
import { live, unknown } from './answers.ts';
import type { OwnerWorld, Subject } from './world.ts';

/** The process that a look saw as its agent lives, by pid and start. */
export const seenLives = ({ table, tree }: OwnerWorld, { seen }: Subject): Owner | null => {
  const row = seen === null ? undefined : tree.row(asPid(seen.pid));
  if (seen === null || row === undefined || !mayStillLive(row, seen)) return null;
  return row.startTicks === seen.startTicks
    ? live(table, row, knownBy('agent process {pid} is running', { pid: row.pid }))
    : unknown(knownBy('process {pid} may be its agent: another reader noted when that one started', { pid: row.pid }));
};

/**
 * A process has the pid that its marks name, of any user: a command can change its user (`sudo
 * -E`). One that began later has got the pid of another. One that began in the same tick can't be
 * told from one that began before. What is no agent by its name could be one that no signature
 * knows, and a pid that was never an agent's in this pid namespace (a kernel thread's) is of
 * another one.
 */
export const namedLives = (world: OwnerWorld, subject: Subject): Owner | null => {
  const { table, tree, profileOf, evidence } = world;
  const { agent, named, seen, begunTicks } = subject;
  const row = named === null ? undefined : tree.row(named);
  if (row === undefined || hasEnded(row) || row.startTicks > begunTicks) return null;
  // Its own agent was seen under that pid, and has ended.
  if (seen !== null && Number(named) === seen.pid) return null;
  if (profileOf(row).program !== agent)
    return unknown(
      knownBy('process {pid}, which it names as its agent, is running and looks like none', { pid: row.pid }),
    );
  if (row.startTicks === begunTicks)
    return unknown(knownBy('process {pid}, which it names as its agent, began in the same moment', { pid: row.pid }));
  const owner = live(table, row, knownBy('agent process {pid} is running', { pid: row.pid }));
  // A process in another pid namespace goes by that pid, too: the end of this one proves nothing.
  return evidence.namedInside?.(row.pid, { ticks: begunTicks }) == null ? owner : { ...owner, claimant: true };
};

/** Another process goes on with its session, or is on record with it. */
export const isTakenOver = (world: OwnerWorld, { agent, session }: Subject): Owner | null => {
  if (session === null) return null;
  const { directory } = world;
  const adoption = directory.adoptions.find((one) => one.agent === agent && one.session === session);
  if (adoption !== undefined)
    return { state: 'live', process: adoption.by, evidence: adoption.evidence, claimant: true };
  const entry = directory.sessions.find((one) => one.agent === agent && one.id === session && one.state === 'live');
  return entry === undefined ? null : { state: 'live', process: entry.process, evidence: entry.source, claimant: true };
};
