import { useState, type ReactElement } from 'react';
import { settingRows } from '../../app/settings/registry.ts';
import { Button } from '../parts/input/button.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { TextField } from '../parts/input/text-field.tsx';
import { useAction } from '../state/use-action.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './rules/rules.module.css';

const { min, max } = settingRows.historyDays.range;

/** How many days the record is kept. */
export const HistoryDays = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.privacy;
  const { values, defaults } = useSnapshot().settings;
  const change = useAction('settings.change');
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? String(values.historyDays);
  const days = Number(shown);
  // What is saved already is good, wherever it comes from.
  const good = text === null || (/^\d{1,4}$/u.test(shown.trim()) && days >= min && days <= max);
  return (
    <div className={styles.tester}>
      <TextField
        label={`${words.historyDays} (${words.days})`}
        hint={words.historyHint(min, max, defaults.historyDays)}
        value={shown}
        onChange={setText}
        width="short"
        problem={good ? null : words.historyBad(min, max)}
      />
      {text === null || days === values.historyDays ? null : (
        <Button
          look="solid"
          size="small"
          disabled={!good || change.busy}
          onClick={() =>
            void change.run({ changes: { historyDays: days } }).then((done) => {
              if (done !== null) setText(null);
            })
          }
        >
          {texts.settings.save}
        </Button>
      )}
      <FailureNote failure={change.failure} />
    </div>
  );
};
