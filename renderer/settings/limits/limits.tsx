import type { ReactElement } from 'react';
import { limitFields, type LimitKey } from '../../../app/settings/keys.ts';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { Intro, Rows } from '../../parts/display/section.tsx';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { ChoiceRow } from '../../parts/input/choice-row.tsx';
import { DaysSetting } from './days-setting.tsx';
import { fieldText, readDraft } from './fields.ts';
import { chosenKeys, forgetLimitEdits, setLimitEdits, useLimitEdits, type LimitChoices } from './limit-edits.ts';
import { LimitField } from './limit-field.tsx';
import styles from './limits.module.css';
import { LimitPreview } from './limit-preview.tsx';
import { LimitTimeline } from './limit-timeline.tsx';

/** When a job is overdue and how it ends, pictured, with a change's effect before saving. */
export const Limits = (): ReactElement => {
  const language = useLanguage();
  const { texts } = language;
  const words = texts.settings.limits;
  const { values, defaults } = useSnapshot().settings;
  const save = useAction('settings.change');
  const edits = useLimitEdits();
  const { fields: edited, chosen } = edits;
  const read = readDraft(edited, values, language);
  const next = { ...values, ...read.values, ...chosen };
  const keys = [...limitFields.map(({ key }) => key), ...chosenKeys];
  const changes = Object.fromEntries(keys.filter((key) => next[key] !== values[key]).map((key) => [key, next[key]]));
  const bad = Object.keys(read.problems).length > 0;
  const changed = Object.keys(changes).length > 0 || bad;
  const forget = (): void => {
    forgetLimitEdits();
    save.forget();
  };
  const edit = (key: LimitKey) => (text: string) => setLimitEdits({ ...edits, fields: { ...edited, [key]: text } });
  const choose = (choice: Partial<LimitChoices>): void => setLimitEdits({ ...edits, chosen: { ...chosen, ...choice } });
  return (
    <>
      <Intro>{words.intro}</Intro>
      <LimitTimeline values={next} />
      <div className={styles.fields}>
        {limitFields.map((field) => (
          <LimitField
            key={field.key}
            field={field}
            text={edited[field.key] ?? fieldText(values, field.key)}
            standard={defaults[field.key]}
            problem={read.problems[field.key] ?? null}
            onChange={edit(field.key)}
          />
        ))}
      </div>
      <Rows>
        {chosenKeys.map((key) => (
          <ChoiceRow key={key} setting={key} value={next[key]} onChange={choose} />
        ))}
      </Rows>
      <DaysSetting setting="idleAgentDays" />
      <div className={styles.bar} data-changed={changed}>
        <div className={styles.preview}>
          {Object.keys(changes).length > 0 && !bad ? <LimitPreview changes={changes} /> : null}
        </div>
        <div className={styles.buttons}>
          <Button disabled={!changed} onClick={forget}>
            {texts.settings.discard}
          </Button>
          <Button
            look="solid"
            disabled={!changed || bad || save.busy}
            onClick={() =>
              void save.run({ changes }).then((done) => {
                if (done !== null) forget();
              })
            }
          >
            {texts.settings.save}
          </Button>
        </div>
      </div>
      <FailureNote failure={save.failure} />
    </>
  );
};
