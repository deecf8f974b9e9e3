import type { ReactElement } from 'react';
import { Section } from '../../parts/display/section.tsx';
import { useLanguage } from '../../texts/texts-context.ts';
import { ExemptionForm } from './exemption-form.tsx';
import { ExemptionList } from './exemption-list.tsx';
import { RuleForm } from './rule-form.tsx';
import { RuleList } from './rule-list.tsx';
import { RuleTester } from './rule-tester.tsx';

/** Exemptions, the user's own rules, and a place to try them. */
export const Rules = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.rules;
  return (
    <>
      <Section title={words.exemptions} body={words.exemptionsBody}>
        <ExemptionList />
        <ExemptionForm />
      </Section>
      <Section title={words.rules} body={words.rulesBody}>
        <RuleList />
        <RuleForm />
      </Section>
      <Section title={words.tester} body={words.testerBody}>
        <RuleTester />
      </Section>
    </>
  );
};
