import type { Claim } from '../agents/claim.ts';
import { asPid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import type { ProcessTree } from '../process/tree.ts';
import { ownerPidOf, sameClaim } from './claims.ts';
import type { Evidence } from './evidence.ts';
import { lineageOf } from './lineage.ts';
import type { Origin } from './origin.ts';
import { isBoundary } from './origin.ts';

/**
 * A program that a tool call opened for a person (a multiplexer, an editor, a terminal) hands the call's markers on to all that the
 * person starts in it. True when a living one that carries the same claim shows that this process has its markers from there:
 *
 * - it leads the process's kernel session, or the leader hangs below it: a session is only ever inherited, also by what lost its parent;
 * - the environment names it as the terminal or multiplexer in which the process was started.
 *
 * A tool shell that is recognised by its grammar needs no marker. Asked for processes without a living agent or person above them.
 */
export const isHandedOn = (
  tree: ProcessTree,
  originOf: (row: ProcessRow) => Origin,
  evidence: Pick<Evidence, 'hosts'>,
  row: ProcessRow,
  claim: Claim,
): boolean => {
  if (claim.shell !== null) return false;
  const carries = (origin: Origin): boolean => origin.claims.some((other) => sameClaim(other, claim));
  const opened = (origin: Origin): boolean => origin.personal && origin.program === null && carries(origin);

  const leader = tree.row(asPid(Number(row.sid)));
  if (leader !== undefined && leader !== row && carries(originOf(leader))) {
    const above = isBoundary(originOf(leader)) ? originOf(leader) : lineageOf(tree, originOf, leader).boundary;
    if (above !== null && opened(above)) return true;
  }
  const named = evidence.hosts(row).map((pid) => tree.row(pid));
  return named.some((host) => host !== undefined && host !== row && opened(originOf(host)));
};

/**
 * True for what shares the kernel session of the living agent that it names: tool calls get sessions of their own, so it is one of the
 * agent's helpers (opencode marks all its children).
 */
export const isHelper = (
  tree: ProcessTree,
  originOf: (row: ProcessRow) => Origin,
  row: ProcessRow,
  claim: Claim,
): boolean => {
  const owner = claim.shell === null ? ownerPidOf(claim) : null;
  const agent = owner === null ? undefined : tree.row(owner);
  return agent !== undefined && Number(agent.sid) === Number(row.sid) && originOf(agent).program === claim.agent;
};
