import { homedir } from 'node:os';
import { exitWithoutReset } from '../../../os/containment/terminal.ts';
import { beProcessOne } from '../../../init/process-one.ts';
import { statusOfEnd, statusOfFailedStart } from '../../../run/record/run-status.ts';
import { placesHere } from '../../../store/places.ts';
import { userSettings } from '../../../store/settings/settings-file.ts';
import { NotDone, WrongCall } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { failedText } from './run-words.ts';

/** Says what the kernel ends, as process 1 does not live on. */
const leftText = (left: number, graceSeconds: number): string =>
  `curfew: ${left} ${left === 1 ? 'process' : 'processes'} did not end within ${graceSeconds} s and ${left === 1 ? 'ends' : 'end'} with the container`;

/**
 * `curfew init -- CMD…`: process 1 of a container, with the exit status of its command.
 * @throws WrongCall, and NotDone where this process is not process 1
 */
export const init = async (words: readonly string[], grace: number | null, output: Output): Promise<number> => {
  const [program, ...rest] = words;
  if (program === undefined) throw new WrongCall('init: a command is missing; `curfew init -- CMD…`');
  const { settings } = userSettings(placesHere(homedir())).load();
  const graceSeconds = grace ?? settings.backgroundKillGraceSeconds;
  const result = await beProcessOne({
    command: [program, ...rest],
    signal: settings.backgroundKillSignal,
    graceSeconds,
  });
  if (result.kind === 'refused')
    throw new NotDone(`init: ${result.reason}. \`curfew run --strict -- CMD…\` ends what a command leaves anywhere.`);
  if (result.kind === 'not-started') {
    output.warn(`curfew: ${failedText(program, result.errno)}`);
    return statusOfFailedStart(result.errno);
  }
  if (result.left > 0) output.warn(leftText(result.left, graceSeconds));
  const status = statusOfEnd(result.end);
  exitWithoutReset(status);
  return status;
};
