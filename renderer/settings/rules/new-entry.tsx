import { useState, type ReactElement } from 'react';
import type { QuestionInput } from '../../../app/contract/contract.ts';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { TextField } from '../../parts/input/text-field.tsx';
import { useAction } from '../../state/use-action.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { Disclosure } from './disclosure.tsx';
import styles from './rules.module.css';

interface EntryField<Key> {
  readonly key: Key;
  readonly label: string;
  readonly hint?: string;
  readonly mono?: boolean;
  readonly rows?: number;
}

interface NewEntryProps<Draft> {
  readonly title: string;
  readonly empty: Draft;
  readonly fields: readonly EntryField<keyof Draft>[];
  /** Why a draft is refused, by field, in words; it shows once the user tried to add it. */
  readonly problemsOf: (draft: Draft) => Partial<Record<keyof Draft, string>>;
  readonly changesOf: (draft: Draft) => QuestionInput<'settings.change'>['changes'];
}

/** A form for one more exemption or rule, hidden until the user opens it. */
export const NewEntry = <Draft extends { readonly [Key in keyof Draft]: string }>({
  title,
  empty,
  fields,
  problemsOf,
  changesOf,
}: NewEntryProps<Draft>): ReactElement => {
  const words = useLanguage().texts.settings.rules;
  const change = useAction('settings.change');
  const [open, setOpen] = useState(false);
  const [tried, setTried] = useState(false);
  const [draft, setDraft] = useState(empty);
  const problems = problemsOf(draft);
  const add = (): void => {
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    void change.run({ changes: changesOf(draft) }).then((done) => {
      if (done === null) return;
      setDraft(empty);
      setTried(false);
      setOpen(false);
    });
  };
  return (
    <Disclosure title={title} open={open} onOpenChange={setOpen}>
      <div className={styles.grid}>
        {fields.map(({ key, ...field }) => (
          <TextField
            key={String(key)}
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
