import { useEffect, useState, type ReactElement } from 'react';
import type { Autostart } from '../../app/contract/app-questions.ts';
import { settingRows } from '../../app/settings/registry.ts';
import { Choice } from '../parts/input/choice.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Intro, Row, Rows, Section } from '../parts/display/section.tsx';
import { useAction } from '../state/use-action.ts';
import { useAnswer } from '../state/use-answer.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { ModeChoice } from './mode-choice.tsx';
import { SwitchRow } from '../parts/input/switch-row.tsx';

/** Start at login, appearance, language, mode. Each holds at once. */
export const General = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.general;
  const { values } = useSnapshot().settings;
  const asked = useAnswer('autostart.status', {});
  const setAutostart = useAction('autostart.set');
  const change = useAction('settings.change');
  const [autostart, keepAutostart] = useState<Autostart | null>(null);
  useEffect(() => {
    keepAutostart(asked.value);
  }, [asked.value]);
  return (
    <>
      <Intro>{words.intro}</Intro>
      <Rows>
        <SwitchRow
          label={words.autostart}
          {...(autostart === null ? {} : { body: autostart.text })}
          checked={autostart?.state === 'enabled'}
          disabled={autostart === null || autostart.state === 'unsupported' || setAutostart.busy}
          onChange={(enabled) => {
            void setAutostart.run({ enabled }).then((now) => {
              if (now !== null) keepAutostart(now);
            });
          }}
        />
        <Row label={words.appearance}>
          <Choice
            label={words.appearance}
            value={values.appearance}
            options={settingRows.appearance.choices.map((value) => ({
              value,
              label: words.appearances[value],
            }))}
            onChange={(appearance) => void change.run({ changes: { appearance } })}
          />
        </Row>
        <Row label={words.language} body={words.languageBody}>
          <Choice
            label={words.language}
            value={values.language}
            options={settingRows.language.choices.map((value) => ({ value, label: words.languages[value] }))}
            onChange={(language) => void change.run({ changes: { language } })}
          />
        </Row>
      </Rows>
      <Section title={words.mode}>
        <ModeChoice />
      </Section>
      <FailureNote failure={asked.failure ?? setAutostart.failure ?? change.failure} />
    </>
  );
};
