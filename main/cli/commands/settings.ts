import { words, worded } from '../common/words.ts';
import { several } from '../../../app/text/form.ts';
import { say, saidOf, joined } from '../../../app/text/say.ts';
import { byKey } from '../../../app/format/said.ts';
import { homedir } from 'node:os';
import { formatAge } from '../../../app/format/age.ts';
import { jsonText } from '../../../app/format/json.ts';
import { visibleText } from '../../../app/format/visible.ts';
import { endedByEnforcing } from '../../../app/judge/preview.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import type { SettingsChanges } from '../../../app/settings/change.ts';
import { readSettingText } from '../../../app/settings/input.ts';
import { isSettingKey, rowOf, settingKeys, valueAt } from '../../../app/settings/keys.ts';
import type { SettingKey, Settings } from '../../../app/settings/settings.ts';
import { saySettingsProblem } from '../../../app/text/settings/notices.ts';
import { settingValue } from '../../../app/text/settings/values.ts';
import { openEngine } from '../../engine/engine.ts';
import { placesHere } from '../../store/places.ts';
import { type SettingsFile, userSettings } from '../../store/settings/settings-file.ts';
import { column, wrap } from '../common/table.ts';
import { wrongCall, type ExitStatus, NotDone, WrongCall, exitStatus } from '../common/exit-status.ts';
import { type Output, paint, writeJson } from '../common/output.ts';
import { shownPath } from '../common/removal.ts';

/** Prints on standard error what enforcing would end now. Scans; changes nothing. */
const tellWhatEnforcingEnds = (output: Output): void => {
  const engine = openEngine({ uid: null, warn: output.warn });
  try {
    const settings = engine.settings();
    if (settings.mode === 'enforce') return;
    const { jobs, table } = engine.observer.look();
    const ended = endedByEnforcing(worstFirst(jobs.values()), settings, table.takenAtMs);
    if (ended.length === 0) return;
    output.warn(
      worded('A supervisor that enforces ends {jobs} of now, each announced {age} ahead:', {
        jobs: several(ended.length, 'job'),
        age: formatAge(settings.noticeSeconds),
      }),
    );
    for (const { job } of ended) {
      const said = { id: job.id, age: formatAge(job.ageSeconds), command: visibleText(job.command) };
      output.warn(
        job.project === null
          ? worded('  {id}  {age} old: {command}', said)
          : worded('  {id}  {age} old: {command} in {project}', { ...said, project: shownPath(job.project) }),
      );
    }
    output.warn(worded('Keep one with `curfew keep JOB`.'));
  } finally {
    engine.close();
  }
};

interface JsonOption {
  readonly json: boolean;
}

/** Terminal columns of a value beside its key. */
const minValue = 20;

const open = (): { readonly file: SettingsFile; readonly path: string } => {
  const home = homedir();
  const { settings: path } = placesHere(home);
  return {
    file: userSettings({ settings: path }, home),
    path,
  };
};

/** Letters at the start of a mistyped key that are taken to be right. */
const sureLetters = 5;

/** Returns the settings that the user may have meant: with the word in them, else alike ones. */
const similarKeys = (typed: string): readonly SettingKey[] => {
  const word = typed.toLowerCase();
  const withIt = (part: string) => settingKeys.filter((key) => key.toLowerCase().includes(part));
  const holding = withIt(word);
  const isShort = word.length < sureLetters;
  return (holding.length > 0 || isShort ? holding : withIt(word.slice(0, sureLetters))).slice(0, 5);
};

const knownKey = (key: string): SettingKey => {
  if (isSettingKey(key)) return key;
  const similar = similarKeys(key);
  const name = { key: JSON.stringify(key) };
  throw similar.length === 0
    ? wrongCall('there is no setting {key} (curfew settings get lists all)', name)
    : wrongCall('there is no setting {key} (curfew settings get lists all); did you mean {similar}?', {
        ...name,
        similar: similar.join(', '),
      });
};

const described = (settings: Settings, fallback: Settings, key: SettingKey): Readonly<Record<string, unknown>> => ({
  key,
  value: valueAt(settings, key) ?? null,
  default: valueAt(fallback, key) ?? null,
  explanation: rowOf(key).text,
});

/** `curfew settings [get [KEY]]`: all settings, or one. Throws WrongCall for an unknown name. */
export const getSettings = async (key: string | null, { json }: JsonOption, output: Output): Promise<ExitStatus> => {
  const { file, path } = open();
  const { settings, fallback, notices } = file.load();
  for (const notice of notices) output.warn(`curfew: ${words(notice.said)}`);
  if (key !== null) {
    const known = knownKey(key);
    const value = valueAt(settings, known);
    if (json) await writeJson(output, { schema: 1, ...described(settings, fallback, known) });
    else await output.write(`${typeof value === 'string' ? value : jsonText(value)}\n`);
    return exitStatus.done;
  }
  if (json) {
    const all = Object.fromEntries(settingKeys.map((one) => [one, valueAt(settings, one) ?? null]));
    await writeJson(output, {
      schema: 1,
      path,
      settings: all,
      notices: notices.map(({ field, text }) => ({ field, text })),
    });
    return exitStatus.done;
  }
  const width = Math.max(...settingKeys.map((one) => one.length));
  const lines = settingKeys.flatMap((one) => {
    const value = valueAt(settings, one);
    const chosen =
      value !== null
        ? settingValue(one, value)
        : worded(one === 'mode' ? 'not chosen yet (behaves as observe)' : 'not chosen yet');
    const isOwn = JSON.stringify(value) !== JSON.stringify(valueAt(fallback, one));
    const said = isOwn ? worded('{value} (set)', { value: chosen }) : chosen;
    const room = output.columns;
    const [first = '', ...more] = wrap(said, Math.max(minValue, room - width - 2));
    // A narrow terminal has the value on a line of its own.
    const below = room - width - 2 < minValue ? [one, ...[first, ...more].map((line) => `  ${line}`)] : null;
    const beside = [`${column(one, width)}  ${first}`, ...more.map((line) => ' '.repeat(width + 2) + line)];
    const explanation = wrap(words(byKey(rowOf(one).text)), room - 2).map((line) => paint(output, 'dim', `  ${line}`));
    return [...(below ?? beside), ...explanation];
  });
  await output.write(`${lines.join('\n')}\n`);
  return exitStatus.done;
};

const change = async (
  key: SettingKey,
  changes: SettingsChanges,
  { json }: JsonOption,
  output: Output,
): Promise<ExitStatus> => {
  const { file } = open();
  const result = writeChange(file, changes);
  if (!result.ok) throw new WrongCall(joined(...result.problems.map(({ said }) => said)));
  const { settings, fallback } = result.loaded;
  if (json) await writeJson(output, { schema: 1, ...described(settings, fallback, key) });
  else {
    const value = valueAt(settings, key);
    const said = value === null || value === undefined ? say('not chosen') : settingValue(key, value);
    await output.write(`${worded('{key} is {value}', { key, value: said })}\n`);
  }
  return exitStatus.done;
};

const writeChange = (file: SettingsFile, changes: SettingsChanges): ReturnType<SettingsFile['change']> => {
  try {
    return file.change(changes);
  } catch (error) {
    throw new NotDone(saidOf(error), { cause: error });
  }
};

/** A failure here stops no change: every end is announced all the same. */
const warnOfEnforcing = (output: Output): void => {
  try {
    tellWhatEnforcingEnds(output);
  } catch (error) {
    output.warn(worded('curfew: what enforcing would end is not known: {why}', { why: saidOf(error) }));
  }
};

/** `curfew settings set KEY VALUE`, checked as in the window. Throws WrongCall for nonsense. */
export const setSetting = async (
  key: string,
  text: string,
  options: JsonOption,
  output: Output,
): Promise<ExitStatus> => {
  const known = knownKey(key);
  const input = readSettingText(known, text);
  if (!input.ok) throw new WrongCall(saySettingsProblem(input.problem));
  if (known === 'mode' && input.value === 'enforce') warnOfEnforcing(output);
  return change(known, { [known]: input.value }, options, output);
};

/** `curfew settings unset KEY`: its default holds again. Throws WrongCall for an unknown name. */
export const unsetSetting = (key: string, options: JsonOption, output: Output): Promise<ExitStatus> => {
  const known = knownKey(key);
  return change(known, { [known]: null }, options, output);
};

/** `curfew settings path`: prints where they are kept, also while there are none. */
export const settingsPath = async ({ json }: JsonOption, output: Output): Promise<ExitStatus> => {
  const { path } = open();
  if (json) await writeJson(output, { schema: 1, path });
  else await output.write(`${path}\n`);
  return exitStatus.done;
};
