import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { placePopover, usableBounds, type Spot } from './placement.ts';
import { windowSizes } from './window-options.ts';

/** What the popover's place and life depend on. */
interface PopoverOptions {
  readonly platform: NodeJS.Platform;
  readonly placeable: boolean;
  readonly trayBounds: () => Rectangle | null;
  readonly dropAfterMs: number;
}

/** On Windows the focus moves once more right after a window was shown from the tray, ms. */
const settlingMs = 150;

/**
 * On X11 a window that was just shown can lose the focus and get it back (seen with Electron 25:
 * within 20 ms, where a second start opened it). What it has after this time, ms, counts.
 */
const settledMs = 500;

/** Milliseconds within which a popover lost the focus to the click that now arrives. */
const sameClickMs = 250;

/**
 * Returns what a click on the tray does to the popover. The click first takes the focus from an
 * open popover, which hides it; without the third case it would reopen at once.
 */
const clickMeans = (
  popover: { readonly visible: boolean; readonly blurredAtMs: number | null },
  nowMs: number,
): 'show' | 'hide' | 'nothing' => {
  if (popover.visible) return 'hide';
  return popover.blurredAtMs !== null && nowMs - popover.blurredAtMs < sameClickMs ? 'nothing' : 'show';
};

/**
 * The popover's place and life: at the tray icon if known (macOS, Windows), else near the pointer
 * that clicked, else in the middle of the display. It closes when it loses the focus, as popovers
 * do. On Wayland it is a small normal window instead, which stays until it is closed: positions
 * can't be set there, nor the pointer's be read
 * (https://www.electronjs.org/docs/latest/api/screen#screengetcursorscreenpoint).
 */
export class PopoverPlace {
  readonly #options: PopoverOptions;
  #blurredAtMs: number | null = null;
  #shownAtMs = 0;
  #pointer: Spot | null = null;
  #drop: NodeJS.Timeout | null = null;
  #settling: NodeJS.Timeout | undefined;

  constructor(options: PopoverOptions) {
    this.#options = options;
  }

  /** Returns what a click on the tray means now. */
  click(visible: boolean): 'show' | 'hide' | 'nothing' {
    return clickMeans({ visible, blurredAtMs: this.#blurredAtMs }, performance.now());
  }

  /** The next showing follows a click: the pointer is where the tray is. */
  clicked(): void {
    this.#pointer = this.#options.placeable ? screen.getCursorScreenPoint() : null;
  }

  /** Places the window; call it right before showing it. */
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

  /** Hides the window when it loses the focus, and drops it when it was hidden for long enough. */
  govern(window: BrowserWindow): void {
    const { platform, placeable, dropAfterMs } = this.#options;
    if (platform === 'darwin') {
      // The transformation is for apps with a Dock icon; without the last option it would show one
      // for a moment.
      window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
    }
    window.on('show', () => {
      this.#shownAtMs = performance.now();
      this.#forgetDrop();
    });
    window.on('blur', () => {
      if (!placeable || window.webContents.isDevToolsOpened()) return;
      const shownMs = performance.now() - this.#shownAtMs;
      if (platform === 'win32' && shownMs < settlingMs) return;
      if (platform === 'linux' && shownMs < settledMs) {
        clearTimeout(this.#settling);
        this.#settling = setTimeout(() => {
          if (!window.isDestroyed() && window.isVisible() && !window.isFocused()) this.#left(window);
        }, settledMs - shownMs);
        return;
      }
      this.#left(window);
    });
    window.on('hide', () => {
      this.#forgetDrop();
      this.#drop = setTimeout(() => {
        if (!window.isDestroyed() && !window.isVisible()) window.destroy();
      }, dropAfterMs);
    });
    window.on('closed', () => this.#forgetDrop());
  }

  /** Stops dropping. */
  end(): void {
    clearTimeout(this.#settling);
    this.#forgetDrop();
  }

  #left(window: BrowserWindow): void {
    this.#blurredAtMs = performance.now();
    window.hide();
  }

  #forgetDrop(): void {
    if (this.#drop !== null) clearTimeout(this.#drop);
    this.#drop = null;
  }
}
