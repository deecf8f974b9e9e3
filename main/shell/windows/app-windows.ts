import { type Rectangle, app, BrowserWindow, nativeTheme } from 'electron';
import type { Place } from '../../../app/contract/app-questions.ts';
import { detailOf, placeHash } from '../../../app/contract/place-hash.ts';
import { channels, type PushMessage } from '../ipc/channels.ts';
import { appPage } from '../security/policy.ts';
import { PopoverPlace } from './popover-place.ts';
import { windowOptions, type WindowName } from './window-options.ts';
import { isRemembered, type WindowPlaces } from './window-places.ts';

/** What the windows are made with. */
export interface AppWindowsOptions {
  readonly platform: NodeJS.Platform;
  readonly preload: string;
  readonly placeable: boolean;
  readonly trayBounds: () => Rectangle | null;
  readonly places: WindowPlaces;
  readonly warn: (text: string) => void;
  /** Milliseconds after which a hidden popover is dropped with its process. */
  readonly dropAfterMs: number;
}

/**
 * The windows: made on demand, gone when closed. Only the popover stays hidden for a while, to
 * reopen at once; then it goes too, so that the idle app has no page at all.
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

  /** Returns the ids of our web contents: messages of any other sender are ignored. */
  get ids(): ReadonlySet<number> {
    return this.#ids;
  }

  /** Shows a place to the user, making its window if needed. */
  open(place: Place): void {
    const open = this.#windows.get(place.window);
    if (open === undefined) this.#create(place.window, detailOf(place));
    else {
      open.webContents.send(channels.tell, { event: 'navigate', payload: place } satisfies PushMessage);
      this.#present(place.window, open);
    }
  }

  /** Shows the one question of the first run. */
  openWelcome(): void {
    const open = this.#windows.get('welcome');
    if (open === undefined) this.#create('welcome', null);
    else this.#present('welcome', open);
  }

  /** A click on the tray: shows the popover, or hides it. */
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

  /** Sends to every window. */
  tell(told: PushMessage): void {
    for (const window of this.#windows.values())
      if (!window.isDestroyed()) window.webContents.send(channels.tell, told);
  }

  /** Sends to one window, if it still exists. */
  tellOne(id: number, told: PushMessage): void {
    for (const window of this.#windows.values()) {
      if (!window.isDestroyed() && window.webContents.id === id) window.webContents.send(channels.tell, told);
    }
  }

  /** Returns the focused window as the parent of dialogs; null if it is not ours. */
  focused(): BrowserWindow | null {
    const focused = BrowserWindow.getFocusedWindow();
    return focused !== null && this.#ids.has(focused.webContents.id) ? focused : null;
  }

  /** Closes all windows without asking their pages. */
  end(): void {
    this.#popover.end();
    for (const window of this.#windows.values()) window.destroy();
  }

  #create(name: WindowName, detail: string | null): void {
    const { platform, preload, placeable, places, warn } = this.#options;
    const surroundings = { platform, preload, placeable, dark: nativeTheme.shouldUseDarkColors };
    const place = isRemembered(name) ? places.get(name) : null;
    const window = new BrowserWindow({ ...windowOptions(name, surroundings), ...place });
    const { id } = window.webContents;
    this.#windows.set(name, window);
    this.#ids.add(id);
    window.once('ready-to-show', () => this.#present(name, window));
    window.on('close', () => {
      if (isRemembered(name)) places.keep(name, window);
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
    window.loadURL(`${appPage}${placeHash(name, detail)}`).catch((error: unknown) => {
      // A window that is closed while it loads ends here too.
      if (!window.isDestroyed()) warn(`A window (${name}) could not be shown: ${String(error)}`);
    });
  }

  /** The first run's page goes on to the popover by its address; that is another window here. */
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
    // Showing a window does not activate an app without a Dock icon.
    if (this.#options.platform === 'darwin' && name !== 'popover') app.focus({ steal: true });
    window.focus();
  }
}
