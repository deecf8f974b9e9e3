import { homedir } from 'node:os';
import { claudeSettingsPath, machineSettingsPath, type Places } from '../places.ts';
import { SettingsFile } from './settings-file.ts';

/** Returns the settings of this user, with the layers below them. */
export const userSettings = ({ settings: path }: Pick<Places, 'settings'>, home: string = homedir()): SettingsFile =>
  new SettingsFile({
    path,
    claudePath: claudeSettingsPath(home),
    machinePath: machineSettingsPath(process.platform),
    home,
    now: Date.now,
  });
