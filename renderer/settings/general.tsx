import type { ReactElement } from 'react';
import { settingRows } from '../../app/settings/registry.ts';
import { Choice } from '../parts/input/choice.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Intro, Row, Rows, Section } from '../parts/display/section.tsx';
import { useAction } from '../state/use-action.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { AutostartRow } from './autostart-row.tsx';
import { ModeChoice } from './mode-choice.tsx';
import { ShortcutRow } from './shortcut-row.tsx';

/** Start at login, appearance, language, mode. Each holds at once. */
export const General = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.general;
  const { platform, settings } = useSnapshot();
  const { values } = settings;
  const change = useAction('settings.change');
  return (
    <>
      <Intro>{words.intro}</Intro>
      <Rows>
        <AutostartRow />
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
        {platform.surface === 'desktop' ? <ShortcutRow /> : null}
      </Rows>
      <Section title={words.mode}>
        <ModeChoice />
      </Section>
      <FailureNote failure={change.failure} />
    </>
  );
};
