import { app } from 'electron';
import type { Answer } from '../../../app/contract/answer.ts';
import { failure } from '../../../app/contract/answer.ts';
import type { Autostart } from '../../../app/contract/app-questions.ts';
import { desktopTexts } from '../../../app/text/desktop.ts';

const words = desktopTexts.autostart;

/** Said by the system when it starts the app at login: then no window opens by itself. */
export const atLoginArgument = '--at-login';

const options = { args: [atLoginArgument] };

/**
 * What the system says of starting the app at login, on macOS (13 and newer: SMAppService, for signed apps) and Windows
 * (https://www.electronjs.org/docs/latest/api/app#appgetloginitemsettingsoptions-macos-windows). Neither was seen here.
 */
export const loginItemStatus = (platform: NodeJS.Platform): Autostart => {
  if (!app.isPackaged) return { state: 'unsupported', text: words.unpackaged };
  const item = app.getLoginItemSettings(options);
  if (platform === 'darwin' && item.status === 'requires-approval') return { state: 'disabled', text: words.approval };
  if (!item.openAtLogin) return { state: 'disabled', text: words.off };
  // Windows keeps apart what is listed and what the person allows in Task Manager.
  if (platform === 'win32' && !item.executableWillLaunchAtLogin) return { state: 'disabled', text: words.blocked };
  return { state: 'enabled', text: words.on };
};

/** Asks the system to start the app at login, or not to. On macOS it may fail silently, so it is asked what came of it. */
export const setLoginItem = (platform: NodeJS.Platform, enabled: boolean): Answer<Autostart> => {
  if (!app.isPackaged) return { ok: false, failure: failure('unsupported', words.unpackaged) };
  app.setLoginItemSettings({ openAtLogin: enabled, ...options });
  const status = loginItemStatus(platform);
  if (enabled && status.state !== 'enabled')
    return { ok: false, failure: failure('refused', words.refused, { advice: status.text }) };
  return { ok: true, value: status };
};

/** True when the system started the app by itself at login. */
export const startedAtLogin = (platform: NodeJS.Platform, argv: readonly string[]): boolean =>
  platform === 'darwin' ? app.getLoginItemSettings().wasOpenedAtLogin : argv.includes(atLoginArgument);
