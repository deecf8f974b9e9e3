import { dirname } from 'node:path';

/**
 * Options of every child of Curfew that shows nothing. On Windows a console program gets a window
 * of its own where Curfew has no console, as in the tray app (a Terminal window on Windows 11).
 * Elsewhere it means nothing.
 */
export const noWindow = { windowsHide: true } as const;

/** Options of a child that the user wants to see: its windows are shown as it likes. */
export const ownWindow = { windowsHide: false } as const;

/**
 * Windows looks for a program that is named without a folder in the current one first, which may be
 * a stranger's repository with an `ssh.exe` in it. It looks in the child's, so that is Node's.
 */
export const notFromHere = (file: string, platform = process.platform): { readonly cwd?: string } =>
  platform === 'win32' && !/[/\\]/u.test(file) ? { cwd: dirname(process.execPath) } : {};
