import { rowOf, settingsFrom } from './keys.ts';
import type { Settings } from './settings.ts';

export const currentSchemaVersion = 1;

/** What holds where neither Curfew's file nor Claude Code's `bash` block says anything. */
export const defaultSettings: Settings = settingsFrom(currentSchemaVersion, (key) => rowOf(key).default);
