import type { Rectangle } from 'electron';
import { app, BrowserWindow, nativeTheme } from 'electron';
import type { Place } from '../../../app/contract/app-questions.ts';
import { channels, type PushMessage } from '../ipc/channels.ts';
import { appPage } from '../security/policy.ts';
import { PopoverPlace } from './popover-place.ts';
import { windowOptions, type WindowName } from './window-options.ts';
import type { WindowPlaces } from './window-places.ts';

/** What the windows are made with. */
export interface AppWindowsOptions {
  readonly platform: NodeJS.Platform;
  readonly preload: string;
  /** See `canPlaceWindows`. */
  readonly placeable: boolean;
  readonly trayBounds: () => Rectangle | null;
  readonly places: WindowPlaces;
  readonly warn: (text: string) => void;
  /** Milliseconds after which a hidden popover is dropped with its process. */
  readonly dropAfterMs: number;
}

/** The address of a place, as renderer/state/route.ts reads it. */
const addressOf = (name: WindowName, detail: string | null): string =>
  `${appPage}#/${name}${detail === null ? '' : `/${encodeURIComponent(detail)}`}`;

const detailOf = (place: Place): string | null =>
  place.window === 'popover' ? place.job : place.window === 'settings' ? place.section : place.incident;

/**
 * The windows: made when they are asked for, gone when they are closed. Only the popover is hidden for a while, so that it is back at once
 * when somebody looks twice; then it goes too, so that the idle app has no page at all.
 */
export class AppWindows {
  readonly #options: AppWindowsOptions;
  readonly #windows = new Map<WindowName, BrowserWindow>();
  readonly #ids = new Set<number>();
  readonly #popover: PopoverPlace;

  constructor(options: AppWindowsOptions) {
    this.#options = options;
    this.#popover = new PopoverPlace(options);
  }

  /** Ids of the web contents that are ours: who else sends a message is not heard. */
  get ids(): ReadonlySet<number> {
    return this.#ids;
  }

  /** Brings a place before the person's eyes, making its window where there is none. */
  open(place: Place): void {
    const open = this.#windows.get(place.window);
    if (open === undefined) this.#create(place.window, detailOf(place));
    else {
      open.webContents.send(channels.tell, { event: 'navigate', payload: place } satisfies PushMessage);
      this.#present(place.window, open);
    }
  }

  /** The one question of the first run. */
  openWelcome(): void {
    const open = this.#windows.get('welcome');
    if (open === undefined) this.#create('welcome', null);
    else this.#present('welcome', open);
  }

  /** A click on the tray: shows the popover there, or hides it. */
  toggle(): void {
    const open = this.#windows.get('popover');
    const means = this.#popover.click(open?.isVisible() ?? false);
    if (means === 'nothing') return;
    if (means === 'hide') open?.hide();
    else {
      this.#popover.clicked();
      this.open({ window: 'popover', job: null });
    }
  }

  /** Tells every window. */
  tell(told: PushMessage): void {
    for (const window of this.#windows.values())
      if (!window.isDestroyed()) window.webContents.send(channels.tell, told);
  }

  /** Tells one window, if it is still there. */
  tellOne(id: number, told: PushMessage): void {
    for (const window of this.#windows.values()) {
      if (!window.isDestroyed() && window.webContents.id === id) window.webContents.send(channels.tell, told);
    }
  }

  /** The window that the person is in, for dialogs to hang on; null when it is none of ours. */
  focused(): BrowserWindow | null {
    const focused = BrowserWindow.getFocusedWindow();
    return focused !== null && this.#ids.has(focused.webContents.id) ? focused : null;
  }

  /** Closes all of them without asking their pages. */
  end(): void {
    this.#popover.end();
    for (const window of this.#windows.values()) window.destroy();
  }

  #create(name: WindowName, detail: string | null): void {
    const { platform, preload, placeable, places, warn } = this.#options;
    const surroundings = { platform, preload, placeable, dark: nativeTheme.shouldUseDarkColors };
    const place = name === 'settings' || name === 'history' ? places.get(name) : null;
    const window = new BrowserWindow({ ...windowOptions(name, surroundings), ...place });
    const { id } = window.webContents;
    this.#windows.set(name, window);
    this.#ids.add(id);
    window.once('ready-to-show', () => this.#present(name, window));
    window.on('close', () => {
      if (name === 'settings' || name === 'history') places.keep(name, window);
    });
    window.on('closed', () => {
      this.#ids.delete(id);
      if (this.#windows.get(name) === window) this.#windows.delete(name);
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit')
        warn(`A window (${name}) ended unexpectedly (${reason}); it is made anew when it is opened.`);
      window.destroy();
    });
    if (name === 'popover') this.#popover.govern(window);
    if (name === 'welcome') this.#leaveWelcome(window);
    window.loadURL(addressOf(name, detail)).catch((error: unknown) => {
      // A window that is closed while it loads ends this way too.
      if (!window.isDestroyed()) warn(`A window (${name}) could not be shown: ${String(error)}`);
    });
  }

  /** The first run's page goes on to the popover by its address when it is done; that is another window here. */
  #leaveWelcome(window: BrowserWindow): void {
    window.webContents.on('did-navigate-in-page', (_event, url) => {
      if (URL.parse(url)?.hash !== '#/popover') return;
      window.close();
      this.open({ window: 'popover', job: null });
    });
  }

  #present(name: WindowName, window: BrowserWindow): void {
    if (window.isDestroyed()) return;
    if (name === 'popover') this.#popover.place(window);
    if (window.isMinimized()) window.restore();
    window.show();
    // An app without a Dock icon is not activated by showing its window.
    if (this.#options.platform === 'darwin' && name !== 'popover') app.focus({ steal: true });
    window.focus();
  }
}
