import { signatureOf } from '../agents/signatures.ts';
import type { RuleTestResult } from '../judge/rule-test.ts';
import type { Exemption } from '../settings/settings.ts';

/** Returns what an exemption is about, in short. */
export const exemptionName = ({ project, command, port }: Exemption): string =>
  [command, project, port === undefined ? undefined : `port ${port}`].filter((part) => part !== undefined).join(', ');

/** Says what Curfew would do with a process of this command line, in one or two sentences. */
export const sayRuleTest = ({ matches, exemptions, program }: RuleTestResult): string => {
  const [first] = matches;
  if (first === undefined) {
    if (program !== null) return `This is ${signatureOf(program).name} itself. Agents are watched and never ended.`;
    return 'Not recognised from the command line alone, so Curfew would leave it alone. Paste the full command line of the process, for example from More, Processes; its environment, parent or output file may still show which agent started it.';
  }
  const where = first.onlyIn === null ? '' : ` if it runs in ${first.onlyIn}`;
  const whose = first.own ? `your rule “${first.rule}”` : signatureOf(first.agent).name;
  const found = `Curfew would recognise this as a job of ${whose}${where} and apply the limits.`;
  return exemptions.length === 0 ? found : `${found} It is exempt up to the hard cap.`;
};
