import type { Settings } from '../../settings/settings.ts';
import type { SettingsView } from './settings-view.ts';

const copyOf = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(copyOf);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, copyOf(value)]));
};

/** Returns settings as windows see them: a copy, which may be changed. */
export const settingsView = (settings: Settings): SettingsView => copyOf(settings) as SettingsView;
