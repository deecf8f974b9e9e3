import type { Claim } from '../../agents/common/claim.ts';
import { baseName } from '../../paths/path.ts';
import { asPid } from '../../process/identity.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { isAdopter } from './adopter.ts';
import { ownerPidOf, sameClaim } from './claims.ts';
import { lineageOf } from './lineage.ts';
import { endsLineage, type ProcessProfile } from './profile.ts';
import type { TableView } from './table-view.ts';

/** By its program's name, whatever the kernel calls it: WSL's `/init` is `Relay(51)` there. */
const mayAdopt = (row: ProcessRow): boolean => {
  const executable = row.argv[0] ?? row.comm;
  return isAdopter({ ...row, comm: baseName(executable) });
};

/**
 * True for a process that a user's daemon started with the environment of the program that asked
 * for it (a queue of jobs, a batch system: sbatch(1) passes the whole environment on, and its
 * daemon is root's). Being the parent alone proves nothing, because the program may have adopted an
 * orphan. It started this one itself where
 *
 * - both share a kernel session that isn't the call's: a session is only ever inherited, and this
 *   agent's calls have sessions of their own;
 * - it is another user's: who adopts has to be an ancestor of the agent, and those are known by
 *   name.
 *
 * Where the session's leader has ended, it may have been the call's.
 */
const isStartedByOthers = (view: TableView, row: ProcessRow, claim: Claim): boolean => {
  const { tree, profileOf, evidence } = view;
  const parent = tree.row(row.ppid);
  const leader = tree.row(asPid(Number(row.sid)));
  if (parent === undefined || parent === row || mayAdopt(parent) || leader === undefined || hasEnded(leader))
    return false;
  const { end, chain } = lineageOf(view, row);
  const isMarked = (one: ProcessRow): boolean => profileOf(one).claims.length > 0;
  if (end !== null || chain.some(isMarked) || (leader !== row && isMarked(leader))) return false;
  if (parent.uid !== null && parent.uid !== row.uid) return true;
  return parent.sid === row.sid && evidence.signature(claim.agent)?.toolShells === 'child-session';
};

/**
 * A program that a tool call opened for the user (a multiplexer, an editor, a terminal) hands the
 * call's markers on to all that the user starts in it. True when a living one that carries the
 * same claim shows that this process has its markers from there:
 *
 * - it leads the process's kernel session, or the leader hangs below it: a session is only ever
 *   inherited, also by what lost its parent;
 * - the environment names it as the terminal or multiplexer in which the process was started.
 *
 * So does a daemon that starts what other programs ask for, see `isStartedByOthers`.
 *
 * A tool shell that is recognised by its grammar needs no marker. Asked for processes without a
 * living agent or user's program above them.
 */
export const isInheritedFromUser = (view: TableView, row: ProcessRow, claim: Claim): boolean => {
  if (claim.shell !== null) return false;
  const { tree, profileOf, evidence } = view;
  const carries = (profile: ProcessProfile): boolean => profile.claims.some((other) => sameClaim(other, claim));
  const opened = (profile: ProcessProfile): boolean =>
    profile.isUserProgram && profile.program === null && carries(profile);

  const leader = tree.row(asPid(Number(row.sid)));
  if (leader !== undefined && leader !== row && carries(profileOf(leader))) {
    const above = endsLineage(profileOf(leader)) ? profileOf(leader) : lineageOf(view, leader).end;
    if (above !== null && opened(above)) return true;
  }
  const named = evidence.hosts(row).map((pid) => tree.row(pid));
  if (named.some((host) => host !== undefined && host !== row && opened(profileOf(host)))) return true;
  return isStartedByOthers(view, row, claim);
};

/**
 * True for what shares the kernel session of the living agent that it names: tool calls get
 * sessions of their own, so it is one of the agent's helpers (opencode marks all its children).
 */
export const isHelper = ({ tree, profileOf }: TableView, row: ProcessRow, claim: Claim): boolean => {
  const owner = claim.shell === null ? ownerPidOf(claim) : null;
  const agent = owner === null ? undefined : tree.row(owner);
  return agent !== undefined && Number(agent.sid) === Number(row.sid) && profileOf(agent).program === claim.agent;
};
