import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { messageOf } from '../../app/format/error-message.ts';

/** What the choice between tray and page depends on. */
export interface DesktopFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** null where there are no such ids. */
  readonly uid: number | null;
}

/** Why no window can be shown here, in a few words; null: one can. Pure. */
export const whyNoDesktop = ({ platform, environment, uid }: DesktopFacts): string | null => {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  if (platform === 'darwin' || platform === 'win32') return has('SSH_CONNECTION') ? 'this is an SSH session' : null;
  if (!has('DISPLAY') && !has('WAYLAND_DISPLAY')) return 'there is no display';
  // https://github.com/electron/electron/issues/26828: Chromium's sandbox refuses root, and without it we don't start.
  if (uid === 0) return 'the tray app does not run as root';
  return null;
};

/**
 * Why Electron ended before it was anything, by its exit status; null when it was. Without a library of the system the loader says 127; where its
 * sandbox can't be set up (Ubuntu from 23.10 on restricts user namespaces) it ends itself by TRAP or ABRT:
 * https://github.com/electron/electron/issues/42510
 */
export const cannotStart = (status: number | null): string | null => {
  if (status === 126 || status === 127) return 'Electron lacks something of this system; what, it said above';
  if (status === 128 + constants.signals.SIGTRAP || status === 128 + constants.signals.SIGABRT)
    return 'Electron could not set up its sandbox; why, it said above';
  return null;
};

/** The Electron program, downloaded by its own package when it wasn't yet; or why it can't be had. */
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
