import { createRequire } from 'node:module';
import type { SessionServices } from './session-bus.ts';
import { messageOf } from '../../app/format/error-message.ts';

/** What the choice between tray and page depends on. */
export interface DesktopFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Null on systems without user ids. */
  readonly uid: number | null;
  /** What the user's session offers; null: unknown. Asked of Linux alone. */
  readonly session: SessionServices | null;
}

/**
 * Returns why no tray app can be seen here, in a few words, or null. Pure. WSLg shows windows and
 * has neither tray nor notifications (https://github.com/microsoft/wslg/issues/158).
 */
export const whyNoDesktop = ({ platform, environment, uid, session }: DesktopFacts): string | null => {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  if (platform === 'darwin' || platform === 'win32') return has('SSH_CONNECTION') ? 'this is an SSH session' : null;
  if (!has('DISPLAY') && !has('WAYLAND_DISPLAY')) return 'there is no display';
  // https://github.com/electron/electron/issues/26828: Chromium's sandbox refuses root, and Curfew
  // never starts without the sandbox.
  if (uid === 0) return 'the tray app does not run as root';
  if (has('WSL_DISTRO_NAME')) return 'WSL shows no tray icons and no notifications';
  if (session === null) return 'the desktop does not say whether it shows tray icons';
  if (!session.tray) return 'the desktop shows no tray icons';
  if (!session.notifications) return 'the desktop shows no notifications';
  return null;
};

/** TRAP and ABRT on Linux and macOS; Windows has no names for them. */
const trap = 5;
const abort = 6;

/**
 * Returns why Electron failed to start, by its exit status, or null. Without a system library the
 * loader exits with 127; without a sandbox (Ubuntu from 23.10 on restricts user namespaces)
 * Electron ends by TRAP or ABRT: https://github.com/electron/electron/issues/42510
 */
export const cannotStart = (status: number | null): string | null => {
  if (status === 126 || status === 127) return 'Electron lacks something of this system; what, it said above';
  if (status === 128 + trap || status === 128 + abort)
    return 'Electron could not set up its sandbox; why, it said above';
  return null;
};

/**
 * Returns the Electron program, downloaded by its own package if necessary, or why it is not
 * available.
 */
export const findElectron = (): { readonly program: string } | { readonly reason: string } => {
  try {
    const program: unknown = createRequire(import.meta.url)('electron');
    if (typeof program === 'string') return { program };
    return { reason: 'its package gives no program' };
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n', 1);
    return { reason };
  }
};
