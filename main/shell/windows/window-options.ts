import type { BrowserWindowConstructorOptions, WebPreferences } from 'electron';
import type { Place } from '../../../app/contract/app-questions.ts';

/** The windows: one for each place, and the first run's. */
export type WindowName = Place['window'] | 'welcome';

/** Logical pixels: the initial size and the minimum. */
export const windowSizes = {
  popover: { width: 400, height: 560, minWidth: 320, minHeight: 320 },
  settings: { width: 860, height: 640, minWidth: 480, minHeight: 400 },
  history: { width: 1040, height: 700, minWidth: 480, minHeight: 400 },
  sessions: { width: 860, height: 640, minWidth: 400, minHeight: 400 },
  ports: { width: 860, height: 640, minWidth: 400, minHeight: 400 },
  files: { width: 860, height: 700, minWidth: 400, minHeight: 400 },
  welcome: { width: 560, height: 700, minWidth: 400, minHeight: 400 },
} as const satisfies Record<WindowName, Record<'width' | 'height' | 'minWidth' | 'minHeight', number>>;

/** The windows' own session. Without `persist:` nothing of it is written to disk. */
export const windowPartition = 'curfew';

/**
 * Returns what every page runs with: points 2, 3, 4, 6, 8, 9, 10, 11 and 12 of
 * https://www.electronjs.org/docs/latest/tutorial/security. Most are defaults; written out, they
 * survive a later Electron's other defaults.
 */
export const webPreferences = (preload: string): WebPreferences => ({
  preload,
  partition: windowPartition,
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  plugins: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  spellcheck: false,
  // Our pages play no media.
  autoplayPolicy: 'document-user-activation-required',
});

export interface WindowSurroundings {
  readonly preload: string;
  readonly platform: NodeJS.Platform;
  readonly placeable: boolean;
  readonly dark: boolean;
}

/** As in renderer/styles/tokens.css, so that no white flashes before the page is drawn. */
const background = (dark: boolean): string => (dark ? '#1b1c20' : '#f6f6f8');

const popoverFrame = ({ platform, placeable }: WindowSurroundings): BrowserWindowConstructorOptions =>
  placeable
    ? {
        frame: false,
        resizable: false,
        movable: false,
        minimizable: false,
        maximizable: false,
        fullscreenable: false,
        // Both are for macOS and Windows; a Linux panel may list it while it is open.
        skipTaskbar: true,
        alwaysOnTop: true,
        hiddenInMissionControl: true,
        // Floats over full-screen apps without deactivating them.
        ...(platform === 'darwin' ? { type: 'panel' } : {}),
      }
    : // Where it can't be placed it is a small normal window, that can be moved and closed.
      { maximizable: false, fullscreenable: false };

/**
 * Returns the options of a window. It is not shown before its page is drawn (`ready-to-show`).
 * https://www.electronjs.org/docs/latest/api/structures/base-window-options
 */
export const windowOptions = (
  name: WindowName,
  surroundings: WindowSurroundings,
): BrowserWindowConstructorOptions & { readonly webPreferences: WebPreferences } => ({
  ...windowSizes[name],
  title: 'Curfew',
  show: false,
  autoHideMenuBar: true,
  backgroundColor: background(surroundings.dark),
  ...(name === 'popover' ? popoverFrame(surroundings) : {}),
  webPreferences: webPreferences(surroundings.preload),
});
