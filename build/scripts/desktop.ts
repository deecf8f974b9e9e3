import { createRequire } from 'node:module';

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
  // https://github.com/electron/electron/issues/26478: Chromium's sandbox refuses root, and without it we don't start.
  if (uid === 0) return 'the tray app does not run as root';
  return null;
};

/** The Electron program, downloaded by its own package when it wasn't yet; or why it can't be had. */
export const findElectron = (): { readonly program: string } | { readonly reason: string } => {
  try {
    const program: unknown = createRequire(import.meta.url)('electron');
    if (typeof program === 'string') return { program };
    return { reason: 'its package gives no program' };
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    return { reason };
  }
};
