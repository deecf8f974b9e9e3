import { signatureOf } from '../../agents/signatures.ts';
import type { Said } from '../../format/said.ts';
import type { RuleTestResult } from '../../judge/rule-test.ts';
import type { Exemption } from '../../settings/settings.ts';
import { joined, say } from '../say.ts';

/** Returns what an exemption is about, in short. */
export const exemptionName = ({ project, command, port }: Exemption): string =>
  [command, project, port === undefined ? undefined : `port ${port}`].filter((part) => part !== undefined).join(', ');

/** Says what Curfew would do with a process of this command line, in one or two sentences. */
export const sayRuleTest = ({ matches, exemptions, program }: RuleTestResult): Said => {
  const [first] = matches;
  if (first === undefined)
    return program === null
      ? joined(
          say('Not recognised from the command line alone, so Curfew would leave it alone.'),
          say(
            'Paste the full command line of the process, for example from More, Processes; its environment, parent or output file may still show which agent started it.',
          ),
        )
      : say('This is {agent} itself. Agents are watched and never ended.', { agent: signatureOf(program).name });
  const { onlyIn: folder, rule } = first;
  const found = say('Curfew would recognise this as a job {whose}{where} and apply the limits.', {
    whose: first.own
      ? say('of your rule “{rule}”', { rule })
      : say('of {agent}', { agent: signatureOf(first.agent).name }),
    where: folder === null ? '' : say(' if it runs in {folder}', { folder }),
  });
  return exemptions.length === 0 ? found : joined(found, say('It is exempt up to the hard cap.'));
};
