import type { WindowsKernel } from '../kernel/kernel.ts';

/**
 * Windows of consoles. Windows says that they are of the first program in the console, and closing
 * one ends everything in it.
 * https://learn.microsoft.com/windows/console/ctrl-close-signal
 */
const ofConsoles: ReadonlySet<string> = new Set(['consolewindowclass', 'pseudoconsolewindow', 'virtualconsoleclass']);

/**
 * Asks the windows of a process to close, as a click on their cross does. Returns whether one was
 * asked. The process must be held: then no other has its pid. A window of which the kind can't be
 * told is left alone.
 */
export const closeWindowsOf = (kernel: Pick<WindowsKernel, 'windows' | 'closeWindow'>, pid: number): boolean =>
  (kernel.windows() ?? [])
    .filter((one) => one.pid === pid && one.kind !== '' && !ofConsoles.has(one.kind.toLowerCase()))
    .map(({ window }) => kernel.closeWindow(window, pid))
    .includes(true);
