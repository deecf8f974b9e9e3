import { homedir } from 'node:os';
import { exitWithoutReset } from '../../../os/containment/terminal.ts';
import { beProcessOne } from '../../../init/process-one.ts';
import { statusOfEnd, statusOfFailedStart } from '../../../run/record/run-status.ts';
import { placesHere } from '../../../store/places.ts';
import { userSettings } from '../../../store/settings/settings-file.ts';
import { notDone, wrongCall } from '../../common/exit-status.ts';
import { worded } from '../../common/words.ts';
import { several } from '../../../../app/text/form.ts';
import { formatLimit } from '../../../../app/format/age.ts';
import type { Output } from '../../common/output.ts';
import { failedText } from './run-words.ts';

/**
 * `curfew init -- CMD…`: process 1 of a container, with the exit status of its command.
 * @throws WrongCall, and NotDone where this process is not process 1
 */
export const init = async (words: readonly string[], grace: number | null, output: Output): Promise<number> => {
  const [program, ...rest] = words;
  if (program === undefined) throw wrongCall('init: a command is missing; `curfew init -- CMD…`');
  const { settings } = userSettings(placesHere(homedir())).load();
  const graceSeconds = grace ?? settings.backgroundKillGraceSeconds;
  const result = await beProcessOne({
    command: [program, ...rest],
    signal: settings.backgroundKillSignal,
    graceSeconds,
  });
  if (result.kind === 'refused')
    throw notDone('init: {reason}. `curfew run --strict -- CMD…` ends what a command leaves anywhere.', {
      reason: result.reason,
    });
  if (result.kind === 'not-started') {
    output.warn(`curfew: ${failedText(program, result.errno)}`);
    return statusOfFailedStart(result.errno);
  }
  if (result.left > 0)
    output.warn(
      `curfew: ${worded('killed with the container, because they did not end within {time}: {processes}', { processes: several(result.left, 'process'), time: formatLimit(graceSeconds) })}`,
    );
  const status = statusOfEnd(result.end);
  exitWithoutReset(status);
  return status;
};
