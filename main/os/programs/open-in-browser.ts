import { startDetached } from './detached-program.ts';
import { findProgram } from './find-program.ts';

/**
 * The variables a browser needs to find the user's screen and settings; no others are passed on.
 */
const admitted =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|XDG_\w+|DESKTOP_SESSION|GNOME_\w+|KDE_\w+|BROWSER|WSL\w*|SystemRoot|windir|APPDATA|LOCALAPPDATA|USERPROFILE|TEMP|TMP)$/u;

/**
 * By system, the programs that open a file or address in the user's default program; the first that
 * exists is used.
 */
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
