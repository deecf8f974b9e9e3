import { boundingModes, guardModes, guardTimeoutRange } from '../guard/settings.ts';
import { firstSignalNames } from '../process/signal.ts';
import { hardCapCeilingSeconds } from './defaults.ts';

/** What a setting takes. The same for the command line, the settings window and the schema. */
export type SettingKind =
  | { readonly kind: 'seconds'; readonly least: number; readonly most: number }
  | { readonly kind: 'days'; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly choices: readonly [string, ...string[]] }
  | { readonly kind: 'switch' }
  | { readonly kind: 'exemptions' | 'rules' | 'hosts' };

/**
 * Every setting by the name that a person uses for it; a dot leads into a block. The order is the order in which they are shown.
 *
 * A max elapsed and a hard cap of zero are refused, because people write 0 for "no limit" and it would mean "at once".
 */
export const settingFields = {
  mode: { kind: 'choice', choices: ['enforce', 'observe'] },
  backgroundMaxElapsedSeconds: { kind: 'seconds', least: 1, most: hardCapCeilingSeconds },
  backgroundMaxElapsedSecondsHardCap: { kind: 'seconds', least: 60, most: hardCapCeilingSeconds },
  backgroundKillSignal: { kind: 'choice', choices: firstSignalNames },
  backgroundKillGraceSeconds: { kind: 'seconds', least: 0, most: 300 },
  orphanGraceSeconds: { kind: 'seconds', least: 0, most: hardCapCeilingSeconds },
  atMaxElapsed: { kind: 'choice', choices: ['reap-silent', 'reap', 'notify'] },
  noticeSeconds: { kind: 'seconds', least: 0, most: 3600 },
  scanIntervalSeconds: { kind: 'seconds', least: 0.2, most: 300 },
  exemptions: { kind: 'exemptions' },
  rules: { kind: 'rules' },
  hosts: { kind: 'hosts' },
  historyDays: { kind: 'days', least: 1, most: 3650 },
  'notifications.overdue': { kind: 'switch' },
  'notifications.beforeReap': { kind: 'switch' },
  'notifications.afterReap': { kind: 'switch' },
  'notifications.sound': { kind: 'switch' },
  appearance: { kind: 'choice', choices: ['system', 'light', 'dark'] },
  'guard.enabled': { kind: 'switch' },
  'guard.timeoutSeconds': { kind: 'seconds', ...guardTimeoutRange },
  'guard.unjoinedLines': { kind: 'choice', choices: guardModes },
  'guard.noTimeout': { kind: 'choice', choices: boundingModes },
  'guard.neverEnds': { kind: 'choice', choices: boundingModes },
  'guard.swallowedCommand': { kind: 'choice', choices: guardModes },
  'guard.waitsOnInput': { kind: 'choice', choices: guardModes },
  'guard.waitsForItself': { kind: 'choice', choices: guardModes },
  'guard.killsAgent': { kind: 'choice', choices: guardModes },
  'guard.sudoInBackground': { kind: 'choice', choices: guardModes },
} as const satisfies Readonly<Record<string, SettingKind>>;

/** The name of a setting: `backgroundMaxElapsedSeconds`, `notifications.sound`. */
export type SettingKey = keyof typeof settingFields;

/** Every key, in the order in which they are shown. */
export const settingKeys = Object.keys(settingFields) as readonly SettingKey[];

/** True for the name of a setting. */
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingFields, key);

/** What the setting takes. */
export const settingKind = (key: SettingKey): SettingKind => settingFields[key];

/** The four keys of the original proposal, which are also read from the `bash` block of Claude Code's settings. */
export const proposalKeys = [
  'backgroundMaxElapsedSeconds',
  'backgroundMaxElapsedSecondsHardCap',
  'backgroundKillSignal',
  'backgroundKillGraceSeconds',
] as const satisfies readonly SettingKey[];

/** The age limits: what makes no sense here never becomes longer than the compiled default, nor than the layer below. */
export const limitKeys = [
  'backgroundMaxElapsedSeconds',
  'backgroundMaxElapsedSecondsHardCap',
  'orphanGraceSeconds',
] as const satisfies readonly SettingKey[];
