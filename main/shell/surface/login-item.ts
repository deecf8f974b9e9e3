import { say } from '../../../app/text/say.ts';
import { app } from 'electron';
import { type Answer, failure } from '../../../app/contract/answer.ts';
import type { Autostart } from '../../../app/contract/app-questions.ts';

/** Passed by the system when it starts the app at login: then no window opens. */
export const atLoginArgument = '--at-login';

const options = { args: [atLoginArgument] };

/** The states of SMAppService, as Electron 45 names them. Another one is not enabled. */
const onMac: Readonly<Record<ReturnType<typeof app.getLoginItemSettings>['status'], Autostart>> = {
  enabled: { state: 'enabled', text: say('Curfew starts when you log in.') },
  'requires-approval': {
    state: 'disabled',
    text: say('macOS asks for your consent: System Settings → General → Login Items.'),
  },
  'not-registered': { state: 'disabled', text: say('Curfew doesn’t start when you log in.') },
  'not-found': {
    state: 'disabled',
    text: say('macOS doesn’t find Curfew among the apps that can start at login: move it to Applications first.'),
  },
};

/**
 * Returns the system's state of starting the app at login, on macOS (13 and newer: SMAppService,
 * for signed apps) and Windows
 * (https://www.electronjs.org/docs/latest/api/app#appgetloginitemsettingsoptions-macos-windows).
 * Not seen on either system.
 */
export const loginItemStatus = (platform: NodeJS.Platform): Autostart => {
  if (!app.isPackaged) return { state: 'unsupported', text: say('Only the installed app can start at login.') };
  const item = app.getLoginItemSettings(options);
  if (platform === 'darwin') return Object.hasOwn(onMac, item.status) ? onMac[item.status] : onMac['not-registered'];
  if (!item.openAtLogin) return { state: 'disabled', text: say('Curfew doesn’t start when you log in.') };
  // Windows separates the entry from what the user allows in Task Manager.
  if (platform === 'win32' && !item.executableWillLaunchAtLogin)
    return {
      state: 'disabled',
      text: say('It is switched off in the system’s own list of startup apps; switch it on there.'),
    };
  return { state: 'enabled', text: say('Curfew starts when you log in.') };
};

/** Starts the app at login, or not. macOS may fail silently, so the result is read back. */
export const setLoginItem = (platform: NodeJS.Platform, enabled: boolean): Answer<Autostart> => {
  if (!app.isPackaged)
    return { ok: false, failure: failure('unsupported', say('Only the installed app can start at login.')) };
  app.setLoginItemSettings({ openAtLogin: enabled, ...options });
  const status = loginItemStatus(platform);
  if (enabled && status.state !== 'enabled')
    return { ok: false, failure: failure('refused', say('The system refused it.'), { advice: status.text }) };
  return { ok: true, value: status };
};

/** Returns whether the system started the app at login. */
export const startedAtLogin = (platform: NodeJS.Platform, argv: readonly string[]): boolean =>
  platform === 'darwin' ? app.getLoginItemSettings().wasOpenedAtLogin : argv.includes(atLoginArgument);
