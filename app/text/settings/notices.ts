import type { Said } from '../../format/said.ts';
import { durationText } from '../../settings/duration.ts';
import { rowOf, settingKeys } from '../../settings/keys.ts';
import type { SettingsNotice, SettingsProblem } from '../../settings/notice.ts';
import type { SettingKey } from '../../settings/settings.ts';
import { type FormWith, joined, say, sayOf } from '../form.ts';
import { inEnglish } from '../say.ts';
import { sayBadRule } from './bad-rule.ts';
import { settingExpectation, settingValue } from './values.ts';

export interface SaidNotice {
  /** `backgroundKillSignal`, `exemptions[2]`; null when it is about the whole file. */
  readonly field: string | null;
  /** A whole sentence, or two, in English. */
  readonly text: string;
  readonly said: Said;
}

const observing = say('Until this is put right Curfew only observes, because it can’t tell what you want spared.');

/** What it means that a list, or an entry of it, is not used. */
const consequenceOf = (key: SettingKey): Said => {
  const { kind } = rowOf(key);
  if (kind === 'exemptions') return observing;
  return kind === 'hosts' ? say('That machine is not looked at.') : say('It finds nothing until then.');
};

type Field<Name extends string> = Extract<SettingsProblem, Readonly<Record<Name, unknown>>>;

/** A figure that some problems have. */
const where =
  <Name extends string>(name: Name, said: (problem: Field<Name>) => number | Said) =>
  (problem: SettingsProblem): number | Said =>
    name in problem ? said(problem as Field<Name>) : '';

const parts = {
  shown: where('shown', ({ shown }) => shown),
  version: where('version', ({ version }) => version),
  key: where('key', ({ key }) => key),
  list: where('key', ({ key }) => key),
  expected: where('key', ({ key }) => settingExpectation(key)),
  used: where('used', ({ key, used }) => settingValue(key, used)),
  index: where('index', ({ index }) => index + 1),
  length: where('maxElapsedSeconds', ({ maxElapsedSeconds }) => durationText(maxElapsedSeconds)),
  cap: where('hardCapSeconds', ({ hardCapSeconds }) => durationText(hardCapSeconds)),
  keys: () => settingKeys.join(', '),
  path: where('path', ({ path }) => path),
  why: where('why', ({ why }) => why),
  problem: where('problem', ({ problem }) => saySettingsProblem(problem)),
};

const forms: Readonly<
  Record<Exclude<SettingsProblem['code'], 'refused-rules' | 'refused-text' | 'bad-entry'>, FormWith<keyof typeof parts>>
> = {
  'no-object': 'The settings are {shown}, which is no object of settings.',
  'newer-version':
    'These settings were written by a newer Curfew (version {version}). What this one doesn’t know is kept and not used.',
  'unknown-key': '{shown} is no setting that Curfew knows. It is kept and not used.',
  'bad-value': '{key} is {shown}, but it must be {expected}. Curfew uses {used}.',
  'bad-list': '{key} is {shown}, but it must be {expected}.',
  clamped: 'backgroundMaxElapsedSeconds is {length}, beyond the hard cap of {cap}.',
  'claude-block-no-object':
    'In Claude Code’s settings, bash is {shown}, which is no block of settings. Curfew passes it over.',
  'in-claude-block': 'In Claude Code’s settings, bash.{problem}',
  'no-setting': 'There is no setting {shown}. There are: {keys}.',
  'refused-value': '{key} must be {expected}, not {shown}.',
  'above-cap':
    'backgroundMaxElapsedSeconds ({length}) must not be longer than backgroundMaxElapsedSecondsHardCap ({cap}).',
  'file-unusable': 'The settings ({path}) can’t be used: {why}.',
  'claude-file-unusable': 'Claude Code’s settings ({path}) can’t be read: {why}. Curfew goes on without them.',
  'machine-file-unusable': 'The settings for every user of this machine ({path}) can’t be used: {why}.',
  'in-machine-file': 'In the settings for every user of this machine ({path}): {problem}',
  'copy-kept': 'The settings as they were are kept as {path}.',
  'copy-not-kept': 'The settings as they were could not be kept beside ({why}); make a copy before you change them.',
};

const entry = 'Entry {index} of {key} is {shown} and can’t be understood; {list} must be {expected}.';

const isLength = (key: SettingKey): boolean => {
  const row = rowOf(key);
  return row.kind === 'number' && row.unit === 'seconds';
};

/** Returns a problem of the settings as a whole sentence, or two. */
export const saySettingsProblem = (problem: SettingsProblem): Said => {
  switch (problem.code) {
    case 'refused-rules':
      return joined(...problem.reasons.map(sayBadRule));
    case 'refused-text':
      return isLength(problem.key)
        ? sayOf('{key} must be {expected}, not {shown}; 90, 90s, 30m and 4h are understood.', parts, problem)
        : sayOf(forms['refused-value'], parts, problem);
    case 'bad-entry':
      return joined(
        ...(problem.reasons.length === 0
          ? [sayOf(entry, parts, problem)]
          : [sayOf('Entry {index} of {key} is set aside.', parts, problem), ...problem.reasons.map(sayBadRule)]),
        consequenceOf(problem.key),
      );
    case 'bad-list':
      return joined(sayOf(forms[problem.code], parts, problem), consequenceOf(problem.key));
    case 'no-object':
    case 'file-unusable':
    case 'machine-file-unusable':
      return joined(sayOf(forms[problem.code], parts, problem), observing);
    case 'clamped':
      return joined(
        sayOf(forms[problem.code], parts, problem),
        say('Curfew uses the hard cap; raise backgroundMaxElapsedSecondsHardCap if you want more.'),
      );
    default:
      return sayOf(forms[problem.code], parts, problem);
  }
};

/** Returns notices in words. */
export const sayNotices = (notices: readonly SettingsNotice[]): readonly SaidNotice[] =>
  notices.map(({ field, problem }) => {
    const said = saySettingsProblem(problem);
    return { field, text: inEnglish(said), said };
  });
