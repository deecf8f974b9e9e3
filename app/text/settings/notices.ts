import { durationText } from '../../settings/duration.ts';
import { rowOf, settingKeys } from '../../settings/keys.ts';
import type { SettingsNotice, SettingsProblem } from '../../settings/notice.ts';
import type { SettingKey } from '../../settings/settings.ts';
import { sayBadRule } from './bad-rule.ts';
import { settingExpectation, settingValue } from './values.ts';

/** A notice in words. */
export interface SaidNotice {
  /** `backgroundKillSignal`, `exemptions[2]`; null when it is about the whole file. */
  readonly field: string | null;
  /** A whole sentence, or two. */
  readonly text: string;
}

const observing = 'Until this is put right Curfew only observes, because it can’t tell what you want spared.';

/** What it means that a list, or an entry of it, is not used. */
const consequenceOf = (key: SettingKey): string => {
  const { kind } = rowOf(key);
  if (kind === 'exemptions') return observing;
  return kind === 'hosts' ? 'That machine is not looked at.' : 'It finds nothing until then.';
};

/** Returns a problem of the settings as a whole sentence, or two. */
export const saySettingsProblem = (problem: SettingsProblem): string => {
  switch (problem.code) {
    case 'no-object':
      return `The settings are ${problem.shown}, which is no object of settings. ${observing}`;
    case 'newer-version':
      return `These settings were written by a newer Curfew (version ${problem.version}). What this one doesn’t know is kept and not used.`;
    case 'unknown-key':
      return `${problem.shown} is no setting that Curfew knows. It is kept and not used.`;
    case 'bad-value': {
      const { key, shown, used } = problem;
      return `${key} is ${shown}, but it must be ${settingExpectation(key)}. Curfew uses ${settingValue(key, used)}.`;
    }
    case 'bad-list': {
      const { key, shown } = problem;
      return `${key} is ${shown}, but it must be ${settingExpectation(key)}. ${consequenceOf(key)}`;
    }
    case 'bad-entry': {
      const { key, index, shown, reasons } = problem;
      if (reasons.length > 0)
        return `Entry ${index + 1} of ${key} is set aside. ${reasons.map(sayBadRule).join(' ')} ${consequenceOf(key)}`;
      return `Entry ${index + 1} of ${key} is ${shown} and can’t be understood; ${key} must be ${settingExpectation(key)}. ${consequenceOf(key)}`;
    }
    case 'clamped':
      return (
        `backgroundMaxElapsedSeconds is ${durationText(problem.maxElapsedSeconds)}, beyond the hard cap of ${durationText(problem.hardCapSeconds)}. ` +
        `Curfew uses the hard cap; raise backgroundMaxElapsedSecondsHardCap if you want more.`
      );
    case 'claude-block-no-object':
      return `In Claude Code’s settings, bash is ${problem.shown}, which is no block of settings. Curfew passes it over.`;
    case 'in-claude-block':
      return `In Claude Code’s settings, bash.${saySettingsProblem(problem.problem)}`;
    case 'no-setting':
      return `There is no setting ${problem.shown}. There are: ${settingKeys.join(', ')}.`;
    case 'refused-value':
      return `${problem.key} must be ${settingExpectation(problem.key)}, not ${problem.shown}.`;
    case 'refused-rules':
      return problem.reasons.map(sayBadRule).join(' ');
    case 'refused-text': {
      const { key, shown } = problem;
      const row = rowOf(key);
      const durations = row.kind === 'number' && row.unit === 'seconds' ? '; 90, 90s, 30m and 4h are understood' : '';
      return `${key} must be ${settingExpectation(key)}, not ${shown}${durations}.`;
    }
    case 'above-cap':
      return (
        `backgroundMaxElapsedSeconds (${durationText(problem.maxElapsedSeconds)}) must not be longer than ` +
        `backgroundMaxElapsedSecondsHardCap (${durationText(problem.hardCapSeconds)}).`
      );
    case 'file-unusable':
      return `The settings (${problem.path}) can’t be used: ${problem.why}. ${observing}`;
    case 'claude-file-unusable':
      return `Claude Code’s settings (${problem.path}) can’t be read: ${problem.why}. Curfew goes on without them.`;
    case 'machine-file-unusable':
      return `The settings for every user of this machine (${problem.path}) can’t be used: ${problem.why}. ${observing}`;
    case 'in-machine-file':
      return `In the settings for every user of this machine (${problem.path}): ${saySettingsProblem(problem.problem)}`;
    case 'copy-kept':
      return `The settings as they were are kept as ${problem.path}.`;
    case 'copy-not-kept':
      return `The settings as they were could not be kept beside (${problem.why}); make a copy before you change them.`;
  }
};

/** Returns notices in words. */
export const sayNotices = (notices: readonly SettingsNotice[]): readonly SaidNotice[] =>
  notices.map(({ field, problem }) => ({ field, text: saySettingsProblem(problem) }));
