import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../node_modules/electron');

/**
 * Returns Electron's own program, or why it can't be used here. The package is not imported: it
 * would begin to download.
 */
export const electronBinary = (): { readonly path: string } | { readonly missing: string } => {
  const named = join(folder, 'path.txt');
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  const name = existsSync(named) ? readFileSync(named, 'utf8') : process.platform === 'linux' ? 'electron' : null;
  if (name === null || (override === undefined && !existsSync(named)))
    return { missing: 'no Electron binary; npx install-electron downloads it' };
  const path = join(override ?? join(folder, 'dist'), name);
  if (!existsSync(path)) return { missing: `no Electron binary at ${path}; npx install-electron downloads it` };
  if (process.platform === 'win32')
    return { missing: 'its job is a program of POSIX, and what a service of Windows started is never ended' };
  const display = process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'];
  if (process.platform === 'linux' && (display ?? '') === '') return { missing: 'no display; xvfb-run gives one' };
  return { path };
};
