import type { SettingsView } from '../../../app/contract/views/settings-view.ts';
import { durationText, parseWrittenDuration } from '../../../app/settings/duration.ts';
import { limitFields, type LimitKey } from '../../../app/settings/keys.ts';
import type { Language } from '../../texts/texts-context.ts';

/** The fields that the user has edited, as text. */
export type Draft = Readonly<Partial<Record<LimitKey, string>>>;

/** Returns what a field shows while it is not edited. */
export const fieldText = (values: SettingsView, key: LimitKey): string => durationText(values[key]);

/** A draft as far as it can be read, and why the rest is refused, in words. */
export interface ReadDraft {
  readonly values: Partial<Record<LimitKey, number>>;
  readonly problems: Partial<Record<LimitKey, string>>;
}

/**
 * Reads the edited fields against their ranges and against the limits that stay as they are. A
 * field that is not edited is not read, so that a value from elsewhere never keeps others from
 * being saved.
 */
export const readDraft = (draft: Draft, saved: SettingsView, { texts, format }: Language): ReadDraft => {
  const words = texts.settings.duration;
  const values: Partial<Record<LimitKey, number>> = {};
  const problems: Partial<Record<LimitKey, string>> = {};
  for (const { key, row } of limitFields) {
    const text = draft[key];
    if (text === undefined) continue;
    const { min, max } = row.range;
    const read = parseWrittenDuration(text);
    if (!read.ok) problems[key] = read.problem === 'too-long' ? words.tooLong(format.limit(max)) : words.notDuration;
    else if (read.seconds < min) problems[key] = words.tooShort(format.limit(min));
    else if (read.seconds > max) problems[key] = words.tooLong(format.limit(max));
    else values[key] = read.seconds;
  }
  const { backgroundMaxElapsedSeconds: maxElapsed, backgroundMaxElapsedSecondsHardCap: cap } = { ...saved, ...values };
  const changed = values.backgroundMaxElapsedSeconds ?? values.backgroundMaxElapsedSecondsHardCap;
  if (changed !== undefined && maxElapsed > cap)
    problems.backgroundMaxElapsedSeconds = words.aboveCap(format.limit(cap));
  return { values, problems };
};
