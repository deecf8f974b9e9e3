import { signatureOf } from '../agents/signatures.ts';
import type { Said } from '../format/said.ts';
import type { RuleTestResult } from '../judge/rule-test.ts';
import type { Exemption } from '../settings/settings.ts';
import { joined, say } from './say.ts';

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
  const agent = signatureOf(first.agent).name;
  const found =
    folder === null
      ? first.own
        ? say('Curfew would recognise this as a job of your rule “{rule}” and apply the limits.', { rule })
        : say('Curfew would recognise this as a job of {agent} and apply the limits.', { agent })
      : first.own
        ? say(
            'Curfew would recognise this as a job of your rule “{rule}” if it runs in {folder} and apply the limits.',
            {
              rule,
              folder,
            },
          )
        : say('Curfew would recognise this as a job of {agent} if it runs in {folder} and apply the limits.', {
            agent,
            folder,
          });
  return exemptions.length === 0 ? found : joined(found, say('It is exempt up to the hard cap.'));
};
