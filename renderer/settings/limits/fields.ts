import type { SettingsView } from '../../../app/contract/views/settings-view.ts';
import { hardCapCeilingSeconds } from '../../../app/settings/defaults.ts';
import type { Language } from '../../texts/texts-context.ts';
import { readDuration, writeDuration } from './read-duration.ts';

/** Settings that are lengths of time, with what is allowed, in seconds. */
export const limitFields = [
  { key: 'backgroundMaxElapsedSeconds', low: 60, high: hardCapCeilingSeconds, step: 300 },
  { key: 'backgroundMaxElapsedSecondsHardCap', low: 60, high: hardCapCeilingSeconds, step: 1800 },
  { key: 'orphanGraceSeconds', low: 0, high: hardCapCeilingSeconds, step: 60 },
  { key: 'noticeSeconds', low: 0, high: 3600, step: 10 },
  { key: 'backgroundKillGraceSeconds', low: 0, high: 300, step: 5 },
] as const;

/** The name of such a setting. */
export type LimitKey = (typeof limitFields)[number]['key'];

/** What the person has written so far, field by field, as text. */
export type Draft = Readonly<Record<LimitKey, string>>;

/** The draft that says what the settings say. */
export const draftOf = (values: SettingsView): Draft =>
  Object.fromEntries(limitFields.map(({ key }) => [key, writeDuration(values[key])])) as Record<LimitKey, string>;

/** A draft as far as it can be read, and why the rest is refused, in words. */
export interface ReadDraft {
  readonly values: Partial<Record<LimitKey, number>>;
  readonly problems: Partial<Record<LimitKey, string>>;
}

/** Reads every field against its range and against the others. */
export const readDraft = (draft: Draft, { texts, format }: Language): ReadDraft => {
  const words = texts.settings.duration;
  const values: Partial<Record<LimitKey, number>> = {};
  const problems: Partial<Record<LimitKey, string>> = {};
  for (const { key, low, high } of limitFields) {
    const seconds = readDuration(draft[key]);
    if (seconds === null) problems[key] = words.notDuration;
    else if (seconds < low) problems[key] = words.tooShort(format.duration(low));
    else if (seconds > high) problems[key] = words.tooLong(format.duration(high));
    else values[key] = seconds;
  }
  const cap = values.backgroundMaxElapsedSecondsHardCap;
  const max = values.backgroundMaxElapsedSeconds;
  if (cap !== undefined && max !== undefined && max > cap)
    problems.backgroundMaxElapsedSeconds = words.aboveCap(format.duration(cap));
  return { values, problems };
};
