import { words } from '../common/words.ts';
import { saidOf, inEnglish } from '../../../app/text/say.ts';
import { type AutostartResult, autostartStatus, disableAutostart, enableAutostart } from '../../autostart/autostart.ts';
import { type Machine, autostartInputHere, machineHere } from '../../autostart/plans.ts';
import { wrap } from '../common/table.ts';
import { type ExitStatus, exitStatus, NotDone } from '../common/exit-status.ts';
import { type Output, writeJson } from '../common/output.ts';

const actions = { status: autostartStatus, enable: enableAutostart, disable: disableAutostart } as const;

/** The actions of `curfew autostart`. */
export const autostartActions = ['status', 'enable', 'disable'] as const;

const carryOut = (action: (typeof autostartActions)[number], machine: Machine): AutostartResult => {
  try {
    return actions[action](machine, autostartInputHere());
  } catch (error) {
    throw new NotDone(saidOf(error), { cause: error });
  }
};

/** `curfew autostart status|enable|disable`. Status 1 when the action failed. */
export const autostart = async (
  action: (typeof autostartActions)[number],
  { json }: { readonly json: boolean },
  output: Output,
): Promise<ExitStatus> => {
  const result = carryOut(action, machineHere());
  const problem = result.problem === null ? null : inEnglish(result.problem);
  const text = inEnglish(result.text);
  if (json) await writeJson(output, { schema: 1, ...result, text, problem });
  else {
    // A line for cron stays whole, so that it can be copied.
    const [said = '', ...alone] = words(result.text).split('\n');
    const files = result.files.map((file) => `  ${file}`);
    await output.write([...wrap(said, output.columns), ...alone, ...files, ''].join('\n'));
  }
  return result.problem === null ? exitStatus.done : exitStatus.notDone;
};
