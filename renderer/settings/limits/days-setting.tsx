import { useState, type ReactElement } from 'react';
import { settingRows } from '../../../app/settings/registry.ts';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { TextField } from '../../parts/input/text-field.tsx';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from '../rules/rules.module.css';

/** A setting that is a number of days, saved by a button of its own. */
export const DaysSetting = ({ setting }: { readonly setting: 'historyDays' | 'idleAgentDays' }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.days;
  const { label, hint } = words[setting];
  const { min, max } = settingRows[setting].range;
  const { values, defaults } = useSnapshot().settings;
  const change = useAction('settings.change');
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? String(values[setting]);
  const days = Number(shown);
  // What is saved already is good, wherever it comes from.
  const good = text === null || (/^\d{1,4}$/u.test(shown.trim()) && days >= min && days <= max);
  return (
    <div className={styles.tester}>
      <TextField
        label={`${label} (${words.unit})`}
        hint={`${hint} ${words.range(min, max, defaults[setting])}`}
        value={shown}
        onChange={setText}
        width="short"
        problem={good ? null : words.bad(min, max)}
      />
      {text === null || days === values[setting] ? null : (
        <Button
          look="solid"
          size="small"
          disabled={!good || change.busy}
          onClick={() =>
            void change.run({ changes: { [setting]: days } }).then((done) => {
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
