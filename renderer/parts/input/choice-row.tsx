import type { ReactElement } from 'react';
import type { SettingsView } from '../../../app/contract/views/settings-view.ts';
import { settingRows } from '../../../app/settings/registry.ts';
import { Row } from '../display/section.tsx';
import { Choice } from './choice.tsx';
import { useLanguage } from '../../texts/texts-context.ts';
import type { Texts } from '../../texts/en/index.ts';

/** A setting whose values are chosen from a list, and whose values have words. */
export type ChoiceKey = keyof Texts['settings']['choices'];

interface ChoiceRowProps<Key extends ChoiceKey> {
  readonly setting: Key;
  readonly value: SettingsView[Key];
  readonly onChange: (change: Pick<SettingsView, Key>) => void;
}

/** The row of a setting, with the values that the registry has for it. */
export const ChoiceRow = <Key extends ChoiceKey>({ setting, value, onChange }: ChoiceRowProps<Key>): ReactElement => {
  const { label, body, values } = useLanguage().texts.settings.choices[setting];
  const labels: Readonly<Record<string, string>> = values;
  const choices: readonly string[] = settingRows[setting].choices;
  const isValue = (choice: string): choice is SettingsView[Key] => Object.hasOwn(labels, choice);
  return (
    <Row label={label} {...(body === null ? {} : { body })}>
      <Choice
        label={label}
        value={value}
        options={choices.filter(isValue).map((choice) => ({ value: choice, label: labels[choice] ?? choice }))}
        onChange={(chosen) => onChange({ [setting]: chosen } as Pick<SettingsView, Key>)}
      />
    </Row>
  );
};
