import { describe, expect, test } from 'vitest';
import { settingsView } from '../../../app/contract/views/settings-view.ts';
import { changeSettings } from '../../../app/settings/change.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { readSettingText } from '../../../app/settings/input.ts';
import { limitFields } from '../../../app/settings/keys.ts';
import { parseSettings } from '../../../app/settings/parse.ts';
import { fieldText, readDraft } from '../../../renderer/settings/limits/fields.ts';
import { englishFor } from '../../../renderer/texts/texts-context.ts';

const language = englishFor(['en-GB']);

/** The settings after `curfew settings set KEY TEXT`. */
const afterCommand = (key: (typeof limitFields)[number]['key'], text: string) => {
  const input = readSettingText(key, text);
  const result = changeSettings({}, { [key]: input.ok ? input.value : null });
  return settingsView(parseSettings(result.ok ? result.raw : {}).settings);
};

test('after the command line has set a max elapsed of 30 s, the window saves another limit', () => {
  const values = afterCommand('backgroundMaxElapsedSeconds', '30s');
  expect(values.backgroundMaxElapsedSeconds).toBe(30);
  expect(readDraft({ noticeSeconds: '2 min' }, values, language)).toEqual({
    values: { noticeSeconds: 120 },
    problems: {},
  });
});

describe('the smallest and the largest value that the command line takes can be saved in the window as it is shown', () => {
  const ends = limitFields.flatMap(({ key, row }) =>
    [row.range.min, row.range.max].map((seconds) => [key, seconds] as const),
  );
  test.for(ends)('%s: %d s', ([key, seconds]) => {
    const wide = { backgroundMaxElapsedSeconds: 60, backgroundMaxElapsedSecondsHardCap: 86_400 };
    const values = { ...settingsView(defaultSettings), ...wide, [key]: seconds };
    const draft = { [key]: fieldText(values, key) };
    expect(readDraft(draft, values, language)).toEqual({ values: { [key]: seconds }, problems: {} });
  });
});

test('90 s are shown as 1 min 30 s, in the field and in the sentences', () => {
  const values = afterCommand('noticeSeconds', '90s');
  expect(fieldText(values, 'noticeSeconds')).toBe('1 min 30 s');
  expect(language.format.limit(90)).toBe('1\u00A0min\u00A030\u00A0s');
});

test('a part of a second from a file stays as it is', () => {
  const { settings } = parseSettings({ noticeSeconds: 10.5 });
  const values = settingsView(settings);
  expect(readDraft({ noticeSeconds: fieldText(values, 'noticeSeconds') }, values, language).values).toEqual({
    noticeSeconds: 10.5,
  });
});

test.each([
  [{ noticeSeconds: 'soon' }, 'noticeSeconds', /^Enter a duration/u],
  [{ noticeSeconds: '2 h' }, 'noticeSeconds', /^At most 1.h\.$/u],
  [{ backgroundMaxElapsedSecondsHardCap: '59 s' }, 'backgroundMaxElapsedSecondsHardCap', /^At least 1.min\.$/u],
  [{ backgroundMaxElapsedSeconds: '9 h' }, 'backgroundMaxElapsedSeconds', /^Not longer than the hard cap of 4.h\.$/u],
  [{ backgroundMaxElapsedSecondsHardCap: '10 min' }, 'backgroundMaxElapsedSeconds', /hard cap of 10.min/u],
] as const)('%o is refused at %s', (draft, key, problem) => {
  expect(readDraft(draft, settingsView(defaultSettings), language).problems).toEqual({
    [key]: expect.stringMatching(problem) as string,
  });
});
