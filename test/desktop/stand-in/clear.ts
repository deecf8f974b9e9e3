import { desktop } from './desktop.ts';
import { app } from './fake-app.ts';
import { FakeNotification } from './fake-notification.ts';
import { ipcMain, nativeTheme, powerMonitor, screen } from './fake-rest.ts';
import { forgetSessions } from './fake-session.ts';

/** Clears the desktop, as for a new process. */
export const clearDesktop = (): void => {
  for (const window of desktop.windows.values()) window.destroy();
  for (const tray of desktop.trays) tray.destroy();
  desktop.notifications.clear();
  FakeNotification.answer = 'shows';
  FakeNotification.activated = null;
  desktop.handlers.clear();
  desktop.told.length = 0;
  desktop.exited = null;
  desktop.answerBox = null;
  desktop.saveAs = null;
  desktop.unopened = false;
  desktop.shortcuts.clear();
  desktop.takenShortcuts.clear();
  for (const emitter of [app, ipcMain, nativeTheme, powerMonitor, screen]) emitter.removeAllListeners();
  forgetSessions();
};
