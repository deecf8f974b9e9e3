/** A rectangle in logical pixels of the desktop. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point in logical pixels of the desktop. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** What is known of the desktop when the popover is about to be shown. */
export interface Desktop {
  /** Where the tray icon is; empty or null if unknown (always on Linux, see `usableBounds`). */
  readonly tray: Box | null;
  /** Where the pointer is; null if unknown or irrelevant, because it was not a click that asked. */
  readonly pointer: Spot | null;
  /** The display's part that no panel covers. */
  readonly workArea: Box;
  /** False on Wayland, where programs can't place their windows. */
  readonly placeable: boolean;
}

/** Pixels between the popover and its anchor. */
const gap = 4;

/**
 * Returns the tray's bounds if they are valid. `tray.getBounds()` is for macOS and Windows only;
 * elsewhere it returns zeros
 * (https://www.electronjs.org/docs/latest/api/tray#traygetbounds-macos-windows).
 */
export const usableBounds = (bounds: Box | null): Box | null =>
  bounds !== null && bounds.width > 0 && bounds.height > 0 ? bounds : null;

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(value, Math.max(low, high)));

const inside = (spot: Spot, size: { readonly width: number; readonly height: number }, area: Box): Spot => ({
  x: Math.round(clamp(spot.x, area.x, area.x + area.width - size.width)),
  y: Math.round(clamp(spot.y, area.y, area.y + area.height - size.height)),
});

/**
 * Returns where the popover goes: at the tray icon, on its side towards the work area; else near
 * the pointer, towards the middle of the display; null if it has to be a normal window that the
 * system places. Never outside of the work area, if it fits.
 */
export const placePopover = (
  { tray, pointer, workArea, placeable }: Desktop,
  size: { readonly width: number; readonly height: number },
): Spot | null => {
  if (!placeable) return null;
  const icon = usableBounds(tray);
  if (icon !== null) {
    const middle = { x: icon.x + icon.width / 2 - size.width / 2, y: icon.y + icon.height / 2 - size.height / 2 };
    // A bar at the left or right lies beside the work area, any other above or below.
    if (icon.x + icon.width <= workArea.x) return inside({ x: workArea.x + gap, y: middle.y }, size, workArea);
    if (icon.x >= workArea.x + workArea.width)
      return inside({ x: workArea.x + workArea.width - size.width - gap, y: middle.y }, size, workArea);
    const upper = icon.y + icon.height / 2 < workArea.y + workArea.height / 2;
    const y = upper ? icon.y + icon.height + gap : icon.y - size.height - gap;
    return inside({ x: middle.x, y }, size, workArea);
  }
  if (pointer === null) return null;
  const left = pointer.x < workArea.x + workArea.width / 2;
  const top = pointer.y < workArea.y + workArea.height / 2;
  return inside(
    {
      x: left ? pointer.x + gap : pointer.x - size.width - gap,
      y: top ? pointer.y + gap : pointer.y - size.height - gap,
    },
    size,
    workArea,
  );
};

/**
 * Returns whether programs can place their windows. Electron runs natively on Wayland sessions,
 * where positions, focus and the pointer's place are not available
 * (https://www.electronjs.org/docs/latest/api/browser-window#platform-notices), unless it was
 * started with `--ozone-platform=x11`.
 */
export const canPlaceWindows = (
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  ozonePlatform: string,
): boolean => {
  if (platform !== 'linux') return true;
  if (ozonePlatform !== '') return ozonePlatform !== 'wayland';
  return environment['XDG_SESSION_TYPE'] !== 'wayland' && (environment['WAYLAND_DISPLAY'] ?? '') === '';
};
