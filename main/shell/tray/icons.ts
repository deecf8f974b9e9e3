import { join } from 'node:path';
import type { TrayPicture } from './tray-state.ts';

/** What the choice of a tray icon depends on. */
export interface Panel {
  readonly platform: NodeJS.Platform;
  readonly dark: boolean;
  /** Physical pixels per logical one, of the densest display. */
  readonly scaleFactor: number;
}

/**
 * Returns the file of a tray icon below `folder` (build/icons/tray, see build/icons/drawings.ts).
 * macOS uses the template, which it colours itself, and finds the `@2x` beside it
 * (https://www.electronjs.org/docs/latest/api/tray, "Platform Considerations"). Windows takes from
 * an ICO the picture that fits its scale. Linux passes one picture over D-Bus and the panel scales
 * it: panels have 22 or 24 logical pixels, so dense displays get the double.
 */
export const trayIconFile = (folder: string, picture: TrayPicture, { platform, dark, scaleFactor }: Panel): string => {
  if (platform === 'darwin') return join(folder, `${picture}-16Template.png`);
  // `Light` is drawn for dark panels.
  const tone = dark ? 'Light' : 'Dark';
  if (platform === 'win32') return join(folder, `${picture}${tone}.ico`);
  return join(folder, `${picture}-22${tone}${scaleFactor > 1 ? '@2x' : ''}.png`);
};
