import { messageOf } from '../../../app/format/error-message.ts';
import type { AutostartResult } from '../../autostart/autostart.ts';
import { autostartStatus, disableAutostart, enableAutostart } from '../../autostart/autostart.ts';
import { machineHere, type Machine } from '../../autostart/plans.ts';
import { autostartInputHere } from '../../autostart/input-here.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus, NotDone } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { writeJson } from '../common/output.ts';

const actions = { status: autostartStatus, enable: enableAutostart, disable: disableAutostart } as const;

/** What `curfew autostart` can do. */
export const autostartActions = ['status', 'enable', 'disable'] as const;

const carryOut = (action: (typeof autostartActions)[number], machine: Machine): AutostartResult => {
  try {
    return actions[action](machine, autostartInputHere());
  } catch (error) {
    throw new NotDone(messageOf(error), { cause: error });
  }
};

/** `curfew autostart status|enable|disable`. Status 1 when what was asked for could not be done. */
export const autostart = async (
  action: (typeof autostartActions)[number],
  { json }: { readonly json: boolean },
  output: Output,
): Promise<ExitStatus> => {
  const result = carryOut(action, machineHere());
  if (json) await writeJson(output, { schema: 1, ...result });
  else await output.write([result.text, ...result.files.map((file) => `  ${file}`), ''].join('\n'));
  return result.problem === null ? exitStatus.done : exitStatus.notDone;
};
