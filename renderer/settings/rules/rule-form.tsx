import { useState, type ReactElement } from 'react';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { TextField } from '../../parts/input/text-field.tsx';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { Disclosure } from './disclosure.tsx';
import { ruleOf, ruleProblems, type RuleDraft } from './rule-draft.ts';
import styles from './rules.module.css';

const empty: RuleDraft = { name: '', argv0: '', argv: '', project: '' };

/** A new rule of the user's own. */
export const RuleForm = (): ReactElement => {
  const { texts, voice } = useLanguage();
  const words = texts.settings.rules;
  const { rules } = useSnapshot().settings.values;
  const change = useAction('settings.change');
  const [open, setOpen] = useState(false);
  const [tried, setTried] = useState(false);
  const [draft, setDraft] = useState(empty);
  const problems = ruleProblems(draft, words, voice.said);
  const add = (): void => {
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    void change.run({ changes: { rules: [...rules, ruleOf(draft)] } }).then((done) => {
      if (done === null) return;
      setDraft(empty);
      setTried(false);
      setOpen(false);
    });
  };
  const fields = [
    { key: 'name', label: words.ruleName },
    { key: 'argv0', label: words.ruleProgram, hint: words.ruleProgramHint, mono: true },
    { key: 'argv', label: words.ruleArguments, hint: words.ruleArgumentsHint, mono: true, rows: 3 },
    { key: 'project', label: words.ruleProject, hint: words.exemptProjectHint, mono: true },
  ] as const;
  return (
    <Disclosure title={words.addRule} open={open} onOpenChange={setOpen}>
      <div className={styles.grid}>
        {fields.map(({ key, ...field }) => (
          <TextField
            key={key}
            {...field}
            value={draft[key]}
            onChange={(text) => setDraft((before) => ({ ...before, [key]: text }))}
            problem={tried ? (problems[key] ?? null) : null}
          />
        ))}
      </div>
      <FailureNote failure={change.failure} />
      <Button look="solid" size="small" disabled={change.busy} onClick={add}>
        {words.add}
      </Button>
    </Disclosure>
  );
};
