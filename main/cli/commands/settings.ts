import { homedir } from 'node:os';
import { messageOf } from '../../../app/format/error-message.ts';
import type { SettingsChanges } from '../../../app/settings/change.ts';
import { isSettingKey, settingKeys, type SettingKey } from '../../../app/settings/fields.ts';
import { readSettingText } from '../../../app/settings/input.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { jsonText } from '../../../app/format/json.ts';
import { settingExplanations, settingValue } from '../../../app/settings/sentences.ts';
import { claudeSettingsPath, placesFor } from '../../store/places.ts';
import { SettingsFile } from '../../store/settings/settings-file.ts';
import { column, fit } from '../common/columns.ts';
import { tellWhatEnforcingEnds } from './enforce-preview.ts';
import type { ExitStatus } from '../common/exit-status.ts';
import { exitStatus, NotDone, WrongCall } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';
import { paint, writeJson } from '../common/output.ts';

interface JsonOption {
  readonly json: boolean;
}

const open = (): { readonly file: SettingsFile; readonly path: string } => {
  const home = homedir();
  const { settings: path } = placesFor({
    platform: process.platform,
    environment: process.env,
    home,
    workingFolder: process.cwd(),
  });
  return { file: new SettingsFile({ path, claudePath: claudeSettingsPath(home), home, now: Date.now }), path };
};

const knownKey = (key: string): SettingKey => {
  if (isSettingKey(key)) return key;
  throw new WrongCall(`there is no setting ${JSON.stringify(key)}; there are ${settingKeys.join(', ')}`);
};

/** The value of a setting by its name; a dot leads into a block. */
const valueOf = (settings: Settings, key: SettingKey): unknown =>
  key
    .split('.')
    .reduce<unknown>((value, part) => Object.entries(value ?? {}).find(([name]) => name === part)?.[1], settings);

const described = (settings: Settings, below: Settings, key: SettingKey): Readonly<Record<string, unknown>> => ({
  key,
  value: valueOf(settings, key) ?? null,
  default: valueOf(below, key) ?? null,
  explanation: settingExplanations[key],
});

/** `curfew settings [get [KEY]]`: all settings, or one. Throws WrongCall for an unknown name. */
export const getSettings = async (key: string | null, { json }: JsonOption, output: Output): Promise<ExitStatus> => {
  const { file, path } = open();
  const { settings, below, notices } = file.load();
  for (const notice of notices) output.warn(`curfew: ${notice.text}`);
  if (key !== null) {
    const known = knownKey(key);
    const value = valueOf(settings, known);
    if (json) await writeJson(output, { schema: 1, ...described(settings, below, known) });
    else await output.write(`${typeof value === 'string' ? value : jsonText(value)}\n`);
    return exitStatus.done;
  }
  if (json) {
    const all = Object.fromEntries(settingKeys.map((one) => [one, valueOf(settings, one) ?? null]));
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
    const value = valueOf(settings, one);
    const chosen = value === null ? 'not chosen yet (behaves as observe)' : settingValue(one, value);
    const own = JSON.stringify(value) === JSON.stringify(valueOf(below, one)) ? '' : ' (set)';
    const explanation = fit(`  ${settingExplanations[one]}`, 100);
    return [`${column(one, width)}  ${fit(chosen + own, 100 - width - 2)}`, paint(output, 'dim', explanation)];
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
  if (!result.ok) throw new WrongCall(result.problems.map(({ text }) => text).join(' '));
  const { settings, below } = result.loaded;
  if (json) await writeJson(output, { schema: 1, ...described(settings, below, key) });
  else await output.write(`${key} is ${settingValue(key, valueOf(settings, key) ?? 'not chosen')}\n`);
  return exitStatus.done;
};

const writeChange = (file: SettingsFile, changes: SettingsChanges): ReturnType<SettingsFile['change']> => {
  try {
    return file.change(changes);
  } catch (error) {
    throw new NotDone(messageOf(error), { cause: error });
  }
};

/** What can't be looked at holds up no setting: every end is announced all the same. */
const warnOfEnforcing = (output: Output): void => {
  try {
    tellWhatEnforcingEnds(output);
  } catch (error) {
    output.warn(`curfew: what enforcing would end is not known: ${messageOf(error)}`);
  }
};

/** `curfew settings set KEY VALUE`: checked by the schema of the settings window. Throws WrongCall for what makes no sense. */
export const setSetting = async (
  key: string,
  text: string,
  options: JsonOption,
  output: Output,
): Promise<ExitStatus> => {
  const known = knownKey(key);
  const input = readSettingText(known, text);
  if (!input.ok) throw new WrongCall(input.problem);
  if (known === 'mode' && input.value === 'enforce') warnOfEnforcing(output);
  return change(known, { [known]: input.value }, options, output);
};

/** `curfew settings unset KEY`: its default holds again. Throws WrongCall for an unknown name. */
export const unsetSetting = (key: string, options: JsonOption, output: Output): Promise<ExitStatus> => {
  const known = knownKey(key);
  return change(known, { [known]: null }, options, output);
};

/** `curfew settings path`: where they are kept, whether there are any yet or not. */
export const settingsPath = async ({ json }: JsonOption, output: Output): Promise<ExitStatus> => {
  const { path } = open();
  if (json) await writeJson(output, { schema: 1, path });
  else await output.write(`${path}\n`);
  return exitStatus.done;
};
