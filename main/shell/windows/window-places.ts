import { type BrowserWindow, type Rectangle, ipcMain, screen } from 'electron';
import Store from 'electron-store';
import { z } from 'zod';

/** Windows that the user places. */
const remembered = ['settings', 'history', 'sessions', 'ports', 'files'] as const;
type Remembered = (typeof remembered)[number];

/** True for a window whose place is kept. */
export const isRemembered = (name: string): name is Remembered => (remembered as readonly string[]).includes(name);

const placeSchema = z.object({ x: z.int(), y: z.int(), width: z.int().min(200), height: z.int().min(200) });

/** Logical pixels on a display for a window's place to count: enough to drag it. */
const visible = 80;

const isReachable = (place: Rectangle): boolean => {
  const { workArea } = screen.getDisplayMatching(place);
  const across = Math.min(place.x + place.width, workArea.x + workArea.width) - Math.max(place.x, workArea.x);
  const down = Math.min(place.y + place.height, workArea.y + workArea.height) - Math.max(place.y, workArea.y);
  return across >= visible && down >= visible;
};

/**
 * Where windows stood when they were closed: kept with electron-store, without schema and
 * migrations of its own.
 * The settings are not kept with it, though it could write to the same file: conf (16.0.0), its
 * base, writes without a lock that other processes could take, so that a change by the command line
 * in between is lost; it throws on a file that it can't parse or, by option, empties it, where ours
 * keeps it beside; and it would be a second writer of a file that has one
 * (main/store/settings/settings-file.ts). What is lost here is only where a window stood.
 */
export class WindowPlaces {
  readonly #store: Store;

  /** @param folder of the file `windows.json`, made with the first place that is kept */
  constructor(folder: string) {
    this.#store = new Store({ name: 'windows', cwd: folder, clearInvalidConfig: true });
    // It opens a channel for stores in pages, which we don't use, and which doesn't check its
    // sender.
    ipcMain.removeAllListeners('electron-store-get-data');
  }

  /** Returns where the window stood; null: unknown, or off all displays. Call after `ready`. */
  get(name: Remembered): Rectangle | null {
    const place = placeSchema.safeParse(this.#store.get(name));
    return place.success && isReachable(place.data) ? place.data : null;
  }

  /** Keeps a window's place. Wayland reads it as 0, 0, and places windows itself anyway. */
  keep(name: Remembered, window: BrowserWindow): void {
    this.#store.set(name, window.getNormalBounds());
  }
}
