import { Argument, type Command } from 'commander';
import { settingKeys } from '../../../app/settings/keys.ts';
import { json } from '../common/common-options.ts';
import type { Output } from '../common/output.ts';

/** Takes the exit status. */
type Done = (status: number) => void;

/** A setting's name: completion offers each; the command itself says what is wrong. */
const settingName = (name: string): Argument =>
  new Argument(name).choices(settingKeys).argParser((text: string) => text);

interface JsonOption {
  readonly json?: true;
}

/** Adds `curfew settings` with its commands. */
export const addSettings = (program: Command, output: Output, done: Done): void => {
  const settings = program.command('settings').description('reads and changes settings');
  settings
    .command('get', { isDefault: true })
    .description('prints all, or one')
    .addArgument(settingName('[key]'))
    .addOption(json())
    .action(async (key: string | undefined, options: JsonOption) => {
      const { getSettings } = await import('../commands/settings.ts');
      done(await getSettings(key ?? null, { json: options.json === true }, output));
    });
  settings
    .command('set')
    .description('changes one')
    .addArgument(settingName('<key>'))
    .argument('<value>')
    .addOption(json())
    .action(async (key: string, value: string, options: JsonOption) => {
      const { setSetting } = await import('../commands/settings.ts');
      done(await setSetting(key, value, { json: options.json === true }, output));
    });
  settings
    .command('unset')
    .description('resets one to its default')
    .addArgument(settingName('<key>'))
    .addOption(json())
    .action(async (key: string, options: JsonOption) => {
      const { unsetSetting } = await import('../commands/settings.ts');
      done(await unsetSetting(key, { json: options.json === true }, output));
    });
  settings
    .command('path')
    .description('prints the path of the settings file')
    .addOption(json())
    .action(async (options: JsonOption) => {
      const { settingsPath } = await import('../commands/settings.ts');
      done(await settingsPath({ json: options.json === true }, output));
    });
};
