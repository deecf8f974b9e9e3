import { app } from './fake-app.ts';
import { FakeMenu as Menu } from './fake-menu.ts';
import { FakeNotification as Notification } from './fake-notification.ts';
import {
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  nativeImage,
  nativeTheme,
  powerMonitor,
  screen,
  shell,
} from './fake-rest.ts';
import { protocol, session } from './fake-session.ts';
import { FakeTray as Tray } from './fake-tray.ts';
import { utilityProcess } from './fake-utility-process.ts';
import { FakeBrowserWindow as BrowserWindow } from './fake-window.ts';

// Stands in for the module `electron` in unit tests (an alias in vitest.config.ts) and under plain
// Node (register.ts). Each part is typed against electron.d.ts; the names must be Electron's.
const module = {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
} satisfies Partial<Record<keyof typeof Electron.CrossProcessExports, unknown>>;

export {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
};

// electron-store uses the module as a whole.
// eslint-disable-next-line import/no-default-export
export default module;
