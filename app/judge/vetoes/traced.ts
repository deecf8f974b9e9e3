import { asPid } from '../../process/identity.ts';
import { veto, type VetoRule } from '../veto-rule.ts';

/**
 * A debugger or tracer holds it: its end would take from the user what is being looked at. A tracer
 * that is a member of the same job doesn't count: an agent that runs `strace -f npm test &` leaves
 * both, and no user sits at either. A process in the tracing stop (state t) whose tracer can't be
 * seen is traced from outside.
 */
export const traced: VetoRule = (row, facts, _role, { rows, jobMembers }) => {
  // Windows does not tell which process it is.
  if (facts?.windows?.debugged === true) return veto('traced', row);
  const tracer = facts?.tracer ?? 0;
  if (tracer === 0) return row.state === 't' ? veto('traced', row) : null;
  if (jobMembers?.has(tracer) === true) return null;
  const by = rows.get(asPid(tracer));
  return veto('traced', row, { tracer, ...(by === undefined ? {} : { name: by.comm }) });
};
