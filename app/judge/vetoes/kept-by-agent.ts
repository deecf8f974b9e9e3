import type { KeptByAgent } from '../../jobs/model/session.ts';
import { asPid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import { veto, type VetoContext, type VetoRule } from '../veto-rule.ts';

const isLeader = (kept: KeptByAgent, row: ProcessRow): boolean =>
  kept.pid === row.pid && (kept.startTicks === null || kept.startTicks === row.startTicks);

/**
 * A group is the kept one unless its id was given to another since: then a leader is there that
 * started at another time.
 */
const inGroup = (kept: KeptByAgent, row: ProcessRow, context: VetoContext): boolean => {
  if (kept.pgid === null || kept.pgid !== row.pgid || kept.startTicks === null) return kept.pgid === row.pgid;
  if (kept.pid === null || kept.pid !== kept.pgid) return true;
  const leader = context.rows.get(asPid(kept.pid));
  return leader === undefined || leader.startTicks === kept.startTicks;
};

/** Its agent says that it is to outlive it: Copilot's `detach` with a lease in the state "keep". */
export const keptByAgent: VetoRule = (row, _facts, _role, context) => {
  const kept = context.keptByAgent.find((one) => isLeader(one, row) || inGroup(one, row, context));
  return kept === undefined ? null : veto('kept-by-agent', row, { agent: kept.agent, evidence: kept.evidence });
};
