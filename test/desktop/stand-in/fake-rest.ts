import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { Display, MessageBoxOptions, NativeTheme, Rectangle, SaveDialogOptions } from 'electron';
import { desktop } from './desktop.ts';

/** A picture: its file, which must exist. */
export class FakeNativeImage {
  readonly file: string;
  template = false;

  constructor(file: string) {
    if (!existsSync(file)) throw new Error(`no picture at ${file}`);
    this.file = file;
  }

  setTemplateImage(option: boolean): void {
    this.template = option;
  }
}

/** `nativeImage`. */
export const nativeImage = { createFromPath: (file: string): FakeNativeImage => new FakeNativeImage(file) };

class FakeNativeTheme
  extends EventEmitter
  implements Pick<NativeTheme, 'themeSource' | 'shouldUseDarkColors' | 'shouldUseDarkColorsForSystemIntegratedUI'>
{
  themeSource: NativeTheme['themeSource'] = 'system';
  shouldUseDarkColors = false;
  shouldUseDarkColorsForSystemIntegratedUI = false;
}

/** `nativeTheme`. */
export const nativeTheme = new FakeNativeTheme();

const area: Rectangle = { x: 0, y: 24, width: 1920, height: 1056 };

class FakeScreen extends EventEmitter {
  display: Pick<Display, 'workArea' | 'scaleFactor'> = { workArea: area, scaleFactor: 1 };
  pointer = { x: 1700, y: 10 };
  getAllDisplays = () => [this.display];
  getDisplayMatching = () => this.display;
  getDisplayNearestPoint = () => this.display;
  getCursorScreenPoint = () => this.pointer;
}

/** `screen`: one display with a bar at the top. */
export const screen = new FakeScreen();

/** `clipboard`. Its methods return promises since Electron 44. */
export const clipboard = {
  writeText: async (text: string): Promise<void> => desktop.tell({ kind: 'clipboard', text }),
};

/** `shell`. */
export const shell = {
  openExternal: async (url: string): Promise<void> => desktop.tell({ kind: 'external', url }),
  openPath: async (path: string): Promise<string> => {
    desktop.tell({ kind: 'opened-path', path });
    return desktop.unopened ? 'Failed to open path' : '';
  },
  showItemInFolder: (path: string): void => desktop.tell({ kind: 'shown-path', path }),
};

/** `globalShortcut`: what another program has is refused. */
export const globalShortcut = {
  register: (accelerator: string, callback: () => void): boolean => {
    desktop.mustBeReady('globalShortcut');
    if (desktop.takenShortcuts.has(accelerator) || desktop.shortcuts.has(accelerator)) return false;
    desktop.shortcuts.set(accelerator, callback);
    return true;
  },
  unregister: (accelerator: string): void => void desktop.shortcuts.delete(accelerator),
} satisfies Pick<Electron.GlobalShortcut, 'register' | 'unregister'>;

/** `powerMonitor`. */
export const powerMonitor = new EventEmitter();

type Handler = (event: unknown, ...input: unknown[]) => unknown;

class FakeIpcMain extends EventEmitter {
  handle(channel: string, handler: Handler): void {
    if (desktop.handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    desktop.handlers.set(channel, handler);
  }
}

/** `ipcMain`. */
export const ipcMain = new FakeIpcMain();

/** `dialog`: a box waits for its answer. */
export const dialog = {
  showMessageBox: (options: MessageBoxOptions): Promise<{ response: number }> =>
    new Promise((resolve) => {
      desktop.answerBox = (response) => {
        desktop.answerBox = null;
        resolve({ response });
      };
      const { message, detail = '', buttons = [] } = options;
      desktop.tell({ kind: 'message-box', message, detail, buttons });
    }),
  showSaveDialog: async (...given: unknown[]): Promise<{ canceled: boolean; filePath: string }> => {
    const { defaultPath = '' } = given.at(-1) as SaveDialogOptions;
    desktop.tell({ kind: 'save-box', path: defaultPath });
    return { canceled: desktop.saveAs === null, filePath: desktop.saveAs ?? '' };
  },
};
