import type { Settings } from '../../settings/settings.ts';
import type { SettingsView } from './settings-view.ts';

/** Returns settings as windows see them. */
export const settingsView = (settings: Settings): SettingsView => ({
  ...settings,
  exemptions: settings.exemptions.map((exemption) => ({ ...exemption })),
  rules: settings.rules.map((rule) => ({ ...rule, argv: [...rule.argv] })),
  hosts: [...settings.hosts],
  notifications: { ...settings.notifications },
  guard: { ...settings.guard },
});
