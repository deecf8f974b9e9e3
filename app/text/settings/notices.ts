import type { Said } from '../../format/said.ts';
import { durationText } from '../../settings/duration.ts';
import { rowOf, settingKeys } from '../../settings/keys.ts';
import type { SettingsNotice, SettingsProblem } from '../../settings/notice.ts';
import type { SettingKey } from '../../settings/settings.ts';
import { inEnglish, joined, say } from '../say.ts';
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

type Of<Code extends SettingsProblem['code']> = Extract<SettingsProblem, { readonly code: Code }>;

const capFigures = ({ maxElapsedSeconds, hardCapSeconds }: Of<'clamped' | 'above-cap'>) => ({
  length: durationText(maxElapsedSeconds),
  cap: durationText(hardCapSeconds),
});

const fileFigures = ({ path, why }: Of<'file-unusable' | 'claude-file-unusable' | 'machine-file-unusable'>) => ({
  path,
  why,
});

/** What it means that a list, or an entry of it, is not used. */
const consequenceOf = (key: SettingKey): Said => {
  const { kind } = rowOf(key);
  if (kind === 'exemptions') return observing;
  return kind === 'hosts' ? say('That machine is not looked at.') : say('It finds nothing until then.');
};

/** Returns a problem of the settings as a whole sentence, or two. */
export const saySettingsProblem = (problem: SettingsProblem): Said => {
  switch (problem.code) {
    case 'no-object':
      return joined(
        say('The settings are {shown}, which is no object of settings.', { shown: problem.shown }),
        observing,
      );
    case 'newer-version':
      return say(
        'These settings were written by a newer Curfew (version {version}). What this one doesn’t know is kept and not used.',
        { version: problem.version },
      );
    case 'unknown-key':
      return say('{shown} is no setting that Curfew knows. It is kept and not used.', { shown: problem.shown });
    case 'bad-value': {
      const { key, shown, used } = problem;
      return say('{key} is {shown}, but it must be {expected}. Curfew uses {used}.', {
        key,
        shown,
        expected: settingExpectation(key),
        used: settingValue(key, used),
      });
    }
    case 'bad-list': {
      const { key, shown } = problem;
      const expected = settingExpectation(key);
      return joined(say('{key} is {shown}, but it must be {expected}.', { key, shown, expected }), consequenceOf(key));
    }
    case 'bad-entry': {
      const { key, shown, reasons } = problem;
      const index = problem.index + 1;
      if (reasons.length > 0)
        return joined(
          say('Entry {index} of {key} is set aside.', { index, key }),
          ...reasons.map(sayBadRule),
          consequenceOf(key),
        );
      const expected = settingExpectation(key);
      return joined(
        say('Entry {index} of {key} is {shown} and can’t be understood; {list} must be {expected}.', {
          index,
          key,
          shown,
          list: key,
          expected,
        }),
        consequenceOf(key),
      );
    }
    case 'clamped':
      return joined(
        say('backgroundMaxElapsedSeconds is {length}, beyond the hard cap of {cap}.', capFigures(problem)),
        say('Curfew uses the hard cap; raise backgroundMaxElapsedSecondsHardCap if you want more.'),
      );
    case 'claude-block-no-object':
      return say('In Claude Code’s settings, bash is {shown}, which is no block of settings. Curfew passes it over.', {
        shown: problem.shown,
      });
    case 'in-claude-block':
      return say('In Claude Code’s settings, bash.{problem}', { problem: saySettingsProblem(problem.problem) });
    case 'no-setting':
      return say('There is no setting {shown}. There are: {keys}.', {
        shown: problem.shown,
        keys: settingKeys.join(', '),
      });
    case 'refused-rules':
      return joined(...problem.reasons.map(sayBadRule));
    case 'refused-value':
    case 'refused-text': {
      const { key, shown, code } = problem;
      const row = rowOf(key);
      const figures = { key, shown, expected: settingExpectation(key) };
      return code === 'refused-text' && row.kind === 'number' && row.unit === 'seconds'
        ? say('{key} must be {expected}, not {shown}; 90, 90s, 30m and 4h are understood.', figures)
        : say('{key} must be {expected}, not {shown}.', figures);
    }
    case 'above-cap':
      return say(
        'backgroundMaxElapsedSeconds ({length}) must not be longer than backgroundMaxElapsedSecondsHardCap ({cap}).',
        capFigures(problem),
      );
    case 'file-unusable':
      return joined(say('The settings ({path}) can’t be used: {why}.', fileFigures(problem)), observing);
    case 'claude-file-unusable':
      return say(
        'Claude Code’s settings ({path}) can’t be read: {why}. Curfew goes on without them.',
        fileFigures(problem),
      );
    case 'machine-file-unusable':
      return joined(
        say('The settings for every user of this machine ({path}) can’t be used: {why}.', fileFigures(problem)),
        observing,
      );
    case 'in-machine-file':
      return say('In the settings for every user of this machine ({path}): {problem}', {
        path: problem.path,
        problem: saySettingsProblem(problem.problem),
      });
    case 'copy-kept':
      return say('The settings as they were are kept as {path}.', { path: problem.path });
    case 'copy-not-kept':
      return say('The settings as they were could not be kept beside ({why}); make a copy before you change them.', {
        why: problem.why,
      });
  }
};

/** Returns notices in words. */
export const sayNotices = (notices: readonly SettingsNotice[]): readonly SaidNotice[] =>
  notices.map(({ field, problem }) => {
    const said = saySettingsProblem(problem);
    return { field, text: inEnglish(said), said };
  });
