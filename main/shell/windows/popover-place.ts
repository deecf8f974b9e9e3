import type { BrowserWindow, Rectangle } from 'electron';
import { screen } from 'electron';
import { placePopover, usableBounds, type Spot } from './placement.ts';
import { clickMeans } from './toggle.ts';
import { windowSizes } from './window-options.ts';

/** What the popover's place and life depend on. */
interface PopoverOptions {
  readonly platform: NodeJS.Platform;
  readonly placeable: boolean;
  readonly trayBounds: () => Rectangle | null;
  readonly dropAfterMs: number;
}

/** On Windows the focus wanders once more right after a window was shown from the tray, milliseconds. */
const settlingMs = 150;

/**
 * Where the popover is and how long: at the tray icon where the system tells where that is (macOS, Windows), else near the pointer that
 * clicked, else in the middle of the display. It goes away when it loses the focus, as popovers do. On Wayland it is a small normal
 * window instead, which stays until it is closed: positions can't be set there, nor the pointer's be read
 * (https://www.electronjs.org/docs/latest/api/screen#screengetcursorscreenpoint).
 */
export class PopoverPlace {
  readonly #options: PopoverOptions;
  #blurredAtMs: number | null = null;
  #shownAtMs = 0;
  #pointer: Spot | null = null;
  #drop: NodeJS.Timeout | null = null;

  constructor(options: PopoverOptions) {
    this.#options = options;
  }

  /** What a click on the tray means now. */
  click(visible: boolean): 'show' | 'hide' | 'nothing' {
    return clickMeans({ visible, blurredAtMs: this.#blurredAtMs }, performance.now());
  }

  /** The next showing is because of a click: the pointer is where the tray is. */
  clicked(): void {
    this.#pointer = this.#options.placeable ? screen.getCursorScreenPoint() : null;
  }

  /** Puts the window where it belongs; to be called right before it is shown. */
  place(window: BrowserWindow): void {
    const pointer = this.#pointer;
    this.#pointer = null;
    if (window.isVisible() || !this.#options.placeable) return;
    const tray = usableBounds(this.#options.trayBounds());
    const { workArea } =
      tray === null
        ? screen.getDisplayNearestPoint(pointer ?? screen.getCursorScreenPoint())
        : screen.getDisplayMatching(tray);
    const spot = placePopover({ tray, pointer, workArea, placeable: true }, windowSizes.popover);
    if (spot === null) window.center();
    else window.setPosition(spot.x, spot.y, false);
  }

  /** Lets the window go when the focus goes, and drops it when it was hidden for long enough. */
  govern(window: BrowserWindow): void {
    const { platform, placeable, dropAfterMs } = this.#options;
    if (platform === 'darwin') {
      // The transformation is for apps with a Dock icon; without the last option it would show one for a moment.
      window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
    }
    window.on('show', () => {
      this.#shownAtMs = performance.now();
      this.#forgetDrop();
    });
    window.on('blur', () => {
      if (!placeable || window.webContents.isDevToolsOpened()) return;
      if (platform === 'win32' && performance.now() - this.#shownAtMs < settlingMs) return;
      this.#blurredAtMs = performance.now();
      window.hide();
    });
    window.on('hide', () => {
      this.#forgetDrop();
      this.#drop = setTimeout(() => {
        if (!window.isDestroyed() && !window.isVisible()) window.destroy();
      }, dropAfterMs);
    });
    window.on('closed', () => this.#forgetDrop());
  }

  /** Nothing is dropped any more. */
  end(): void {
    this.#forgetDrop();
  }

  #forgetDrop(): void {
    if (this.#drop !== null) clearTimeout(this.#drop);
    this.#drop = null;
  }
}
