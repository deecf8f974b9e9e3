import { keepName } from '../../guard/script/keep-assignment.ts';
import { isKnownPlain, nothingKept, wasSeenKept } from '../../jobs/ledger/kept.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

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
