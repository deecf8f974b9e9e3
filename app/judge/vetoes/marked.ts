import { keepName } from '../../guard/script/keep-assignment.ts';
import { isKnownPlain, nothingKept, wasSeenKept } from '../../jobs/ledger/kept.ts';
import type { Job } from '../../model/job.ts';
import type { KeptByAgent } from '../../model/session.ts';
import { asPid } from '../../process/identity.ts';
import type { ProcessRow } from '../../process/row.ts';
import type { Veto } from '../verdict.ts';
import { type VetoContext, type VetoRule, veto } from '../veto-rule.ts';

const isLeader = (kept: KeptByAgent, row: ProcessRow): boolean =>
  kept.pid === row.pid && (kept.startTicks === null || kept.startTicks === row.startTicks);

/** The kept group, unless its id was given to another since: its leader started later. */
const inGroup = (kept: KeptByAgent, row: ProcessRow, context: VetoContext): boolean => {
  if (kept.pgid === null || kept.pgid !== row.pgid || kept.startTicks === null) return kept.pgid === row.pgid;
  if (kept.pid === null || kept.pid !== kept.pgid) return true;
  const leader = context.rows.get(asPid(kept.pid));
  return leader === undefined || leader.startTicks === kept.startTicks;
};

/** Its agent says that it is to outlive it: Copilot's `detach` with a lease in the state "keep". */
export const keptByAgent: VetoRule = (row, _facts, _role, context) => {
  const kept = context.keptByAgent.find((one) => isLeader(one, row) || inGroup(one, row, context));
  if (kept === undefined) return null;
  const { agent, evidence, shell } = kept;
  return veto('kept-by-agent', row, {
    agent,
    evidence,
    ...(shell === undefined ? {} : { keeper: shell.keeper, shell: shell.name, path: shell.path }),
  });
};

/** No proof that an agent started it, as a name is none: the job is shown and never touched. */
export const noProvenance = (job: Pick<Job, 'provenance' | 'root'>): Veto | null =>
  job.provenance.length === 0 ? veto('no-provenance', job.root) : null;

/** The name of the variable with which anything can be marked as meant to stay. */
export const keepMarkerName = keepName;

/**
 * `CURFEW_KEEP=1` in its environment, now or when it was seen earlier (programs overwrite their
 * environment), or set by the text of its job's command. No other value counts: `CURFEW_KEEP=0`
 * says the opposite. The user can also say of a process that it is theirs.
 *
 * An environment that can't be read is not an empty one: then it may carry the mark, unless it is
 * known what it was started with. On a machine that shows no environments at all (`hidden` left
 * out) that would spare everything, so there only the rest counts.
 */
export const keepMarker: VetoRule = (row, facts, _role, { keep = nothingKept, mine }) => {
  if (mine?.has(`${row.pid}:${row.startTicks}`) === true) return veto('keep-marker', row, { by: 'mine' });
  if (facts?.environment?.[keepMarkerName] === '1') return veto('keep-marker', row);
  if (wasSeenKept(keep, row, facts)) return veto('keep-marker', row, { by: 'seen' });
  if (keep.assigned) return veto('keep-marker', row, { by: 'command' });
  if (facts?.hidden === undefined || isKnownPlain(keep, row, facts)) return null;
  return veto('keep-unknown', row, { hidden: facts.hidden });
};
