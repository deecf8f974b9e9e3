import { useState, type ReactElement } from 'react';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { TextField } from '../../parts/input/text-field.tsx';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { Disclosure } from './disclosure.tsx';
import { exemptionProblems, type ExemptionDraft } from './exemption-problems.ts';
import styles from './rules.module.css';

const empty: ExemptionDraft = { project: '', command: '', port: '', note: '' };

/** A new exemption by hand; the others come from a card's “Never for”. */
export const ExemptionForm = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.rules;
  const { values } = useSnapshot().settings;
  const change = useAction('settings.change');
  const [open, setOpen] = useState(false);
  const [tried, setTried] = useState(false);
  const [draft, setDraft] = useState(empty);
  const problems = exemptionProblems(draft, words);
  const set = (key: keyof ExemptionDraft) => (text: string) => setDraft((before) => ({ ...before, [key]: text }));
  const add = (): void => {
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    const { project, command, port, note } = draft;
    const exemption = {
      ...(project.trim() === '' ? {} : { project: project.trim() }),
      ...(command.trim() === '' ? {} : { command: command.trim() }),
      ...(port.trim() === '' ? {} : { port: Number(port) }),
      ...(note.trim() === '' ? {} : { note: note.trim() }),
      createdAt: new Date().toISOString(),
    };
    void change.run({ changes: { exemptions: [...values.exemptions, exemption] } }).then((done) => {
      if (done === null) return;
      setDraft(empty);
      setTried(false);
      setOpen(false);
    });
  };
  const fields = [
    { key: 'project', label: words.exemptProject, hint: words.exemptProjectHint },
    { key: 'command', label: words.exemptCommand, hint: words.exemptCommandHint },
    { key: 'port', label: words.exemptPort, hint: words.exemptPortHint },
    { key: 'note', label: words.exemptNote, hint: words.exemptNoteHint },
  ] as const;
  return (
    <Disclosure title={words.addExemption} open={open} onOpenChange={setOpen}>
      <div className={styles.grid}>
        {fields.map(({ key, label, hint }) => (
          <TextField
            key={key}
            label={label}
            hint={hint}
            value={draft[key]}
            onChange={set(key)}
            mono={key === 'project' || key === 'command'}
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
