import { rowOf, settingsFrom } from './keys.ts';
import type { Settings } from './settings.ts';

export const currentSchemaVersion = 1;

/**
 * What holds where neither Curfew's own file nor the `bash` block of Claude Code's settings says
 * anything.
 */
export const defaultSettings: Settings = settingsFrom(currentSchemaVersion, (key) => rowOf(key).default);
