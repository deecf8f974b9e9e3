import type { AgentId } from '../../agents/common/agent-id.ts';
import { couldBeAgent } from '../../agents/contained-in.ts';
import type { ProcessRow } from '../../process/row.ts';
import { hasEnded } from '../../process/row.ts';
import { isAdopter } from '../lineage/adopter.ts';
import type { OwnerInput } from './owner-process.ts';
import type { Root } from '../lineage/root.ts';

/**
 * The parent that started it may still be there under a name that no signature knows: then nothing
 * is gone.
 */
export const strangeParent = (input: Pick<OwnerInput, 'tree' | 'profileOf'>, root: Root): ProcessRow | null => {
  const parent = input.tree.row(root.row.ppid);
  return parent !== undefined && !isAdopter(parent) && input.profileOf(parent).program === null ? parent : null;
};

/**
 * Began before the job or in the same tick, and is neither a part of it nor something else that is
 * known. A scan on a quiet machine begins in the tick (10 ms) of the job's own start, so Curfew
 * itself is told by its pid.
 */
const couldHaveStarted = (
  input: OwnerInput,
  agent: AgentId,
  root: Root,
  begunTicks: number,
  row: ProcessRow,
): boolean => {
  if (
    row === root.row ||
    row.pid === input.table.self ||
    row.startTicks > begunTicks ||
    row.kernelThread ||
    hasEnded(row) ||
    isAdopter(row)
  )
    return false;
  const { program, claims } = input.profileOf(row);
  return program === null && !claims.some((claim) => claim.agent === agent);
};

/**
 * A living process of any user that could be this agent under another name, by the names of its
 * program; null for none.
 */
export const namedLike = (input: OwnerInput, agent: AgentId, root: Root, begunTicks: number): ProcessRow | null => {
  for (const row of input.table.rows.values())
    if (couldBeAgent(agent, row) && couldHaveStarted(input, agent, root, begunTicks, row)) return row;
  return null;
};

/**
 * Any living process that isn't known to be something else than this agent; null for none. Only
 * where there is none at all does the table itself show that no agent is left: on a machine with a
 * desktop there is always one.
 */
export const anyStranger = (input: OwnerInput, agent: AgentId, root: Root, begunTicks: number): ProcessRow | null => {
  for (const row of input.table.rows.values()) if (couldHaveStarted(input, agent, root, begunTicks, row)) return row;
  return null;
};

/**
 * True for a tool shell whose agent was seen to be dead, by the kernel: an agent of this kind
 * starts its shells itself, as leaders of a kernel session, and only a process whose parent has
 * ended is given to an adopter. A shell that was forked off in the call has the same command line
 * and leads nothing.
 */
export const hasLostItsAgent = (
  input: Pick<OwnerInput, 'tree' | 'leadsToolCalls'>,
  agent: AgentId,
  { row, proof }: Root,
): boolean => {
  if (proof.kind !== 'claim' || proof.claim.agent !== agent || proof.claim.shell === null) return false;
  if (Number(row.sid) !== Number(row.pid) || !input.leadsToolCalls(agent)) return false;
  const parent = input.tree.row(row.ppid);
  return parent !== undefined && isAdopter(parent);
};
