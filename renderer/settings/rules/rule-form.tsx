import type { ReactElement } from 'react';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { NewEntry } from './new-entry.tsx';
import { ruleOf, ruleProblems, type RuleDraft } from './rule-draft.ts';

const empty: RuleDraft = { name: '', argv0: '', argv: '', project: '' };

/** A new rule of the user's own. */
export const RuleForm = (): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.settings.rules;
  const { rules } = useSnapshot().settings.values;
  return (
    <NewEntry
      title={words.addRule}
      empty={empty}
      fields={[
        { key: 'name', label: words.ruleName },
        { key: 'argv0', label: words.ruleProgram, hint: words.ruleProgramHint, mono: true },
        { key: 'argv', label: words.ruleArguments, hint: words.ruleArgumentsHint, mono: true, rows: 3 },
        { key: 'project', label: words.ruleProject, hint: words.exemptProjectHint, mono: true },
      ]}
      problemsOf={(draft) => ruleProblems(draft, words, voice.said)}
      changesOf={(draft) => ({ rules: [...rules, ruleOf(draft)] })}
    />
  );
};
