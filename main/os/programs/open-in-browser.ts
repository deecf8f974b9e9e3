import type { Form } from '../../../app/text/form.ts';
import { startDetached } from './detached-program.ts';
import { findProgram } from './find-program.ts';

/**
 * Returns why no browser is opened on this machine, in a few words, or null. Pure.
 * @param environment names that say where this runs
 */
export const whyNoBrowser = (
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
): Form | null => {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  // Set by sshd: https://man.openbsd.org/ssh.1#ENVIRONMENT
  if (has('SSH_CONNECTION') || has('SSH_TTY')) return 'this is an SSH session';
  if (has('CI')) return 'this is a CI run';
  if (has('CODESPACES') || has('REMOTE_CONTAINERS')) return 'this is a remote container';
  if (platform !== 'linux') return null;
  if (has('DISPLAY') || has('WAYLAND_DISPLAY') || has('WSL_DISTRO_NAME')) return null;
  return 'there is no display';
};

/** The variables a browser needs for the user's screen and settings; no others pass. */
const admitted =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|XDG_\w+|DESKTOP_SESSION|GNOME_\w+|KDE_\w+|BROWSER|WSL\w*|SystemRoot|windir|APPDATA|LOCALAPPDATA|USERPROFILE|TEMP|TMP)$/u;

/** By system, programs that open a file or address for the user; the first that exists. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly (readonly [string, ...string[]])[]>>> = {
  // wslview passes a path to Windows: https://wslutiliti.es/wslu/man/wslview.html
  linux: [['wslview'], ['xdg-open']],
  darwin: [['open']],
  win32: [['rundll32', 'url.dll,FileProtocolHandler']],
};

/**
 * Opens a file in the user's browser and doesn't wait for it. False when no opener exists. The
 * argument is visible to every user of the machine: never pass a secret.
 */
export const openInBrowser = (file: string, environment: Readonly<Record<string, string | undefined>>): boolean => {
  const passed = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      admitted.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
  for (const [program, ...args] of openers[process.platform] ?? []) {
    if (process.platform === 'win32') return startDetached([program, ...args, file], passed, 'shown');
    const found = findProgram(program, environment['PATH']);
    if ('file' in found) return startDetached([found.file, ...args, file], passed, 'shown');
  }
  return false;
};
