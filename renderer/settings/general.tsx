import type { ReactElement } from 'react';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Intro, Rows, Section } from '../parts/display/section.tsx';
import { useAction } from '../state/use-action.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { AutostartRow } from './autostart-row.tsx';
import { ChoiceRow } from '../parts/input/choice-row.tsx';
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
        {(['appearance', 'language'] as const).map((key) => (
          <ChoiceRow key={key} setting={key} value={values[key]} onChange={(changes) => void change.run({ changes })} />
        ))}
        {platform.surface === 'desktop' ? <ShortcutRow /> : null}
      </Rows>
      <Section title={words.mode}>
        <ModeChoice />
      </Section>
      <FailureNote failure={change.failure} />
    </>
  );
};
