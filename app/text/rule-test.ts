import { signatureOf } from '../agents/signatures.ts';
import type { RuleTestResult } from '../judge/rule-test.ts';
import type { Exemption } from '../settings/settings.ts';

/** What an exemption is about, in short. */
export const exemptionName = ({ project, command, port }: Exemption): string =>
  [command, project, port === undefined ? undefined : `port ${port}`].filter((part) => part !== undefined).join(', ');

/** What Curfew would do with a process of this command line, in a sentence or two. */
export const sayRuleTest = ({ matches, exemptions, program }: RuleTestResult): string => {
  const [first] = matches;
  if (first === undefined) {
    if (program !== null) return `This is ${signatureOf(program).name} itself. Agents are watched and never ended.`;
    return 'By its command line alone this is no command of an agent, and Curfew would leave it alone. Its environment, its parent or its output file could still say whose it is.';
  }
  const where = first.onlyIn === null ? '' : ` if it runs in ${first.onlyIn}`;
  const whose = first.own ? `your rule “${first.rule}”` : signatureOf(first.agent).name;
  const found = `Curfew would take this for a job of ${whose}${where} and watch its age.`;
  return exemptions.length === 0 ? found : `${found} What you exempted is spared up to the hard cap.`;
};
