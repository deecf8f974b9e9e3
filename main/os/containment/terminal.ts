import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { openLibc, type Libc } from '../linux/control/libc.ts';

/**
 * The controlling terminal of this process and its foreground group. Reading and setting never
 * throw; a failure changes nothing.
 */
export interface ControllingTerminal {
  readonly fd: number;
  ownIsForeground(): boolean;
  isForeground(group: number): boolean;
  give(group: number): void;
  takeBack(): void;
  /**
   * Stops our whole group, as the terminal would, and returns when it is continued, or at once if
   * the kernel did not stop it.
   */
  stopOwnGroup(signal: number): void;
  close(): void;
}

const terminalOf = (libc: Libc, fd: number): ControllingTerminal => ({
  fd,
  ownIsForeground: () => libc.foregroundGroup(fd) === libc.getpgrp(),
  isForeground: (group) => libc.foregroundGroup(fd) === group,
  give: (group) => void libc.setForegroundGroup(fd, group),
  takeBack: () => void libc.setForegroundGroup(fd, libc.getpgrp()),
  stopOwnGroup: (signal) => {
    // TTOU is ignored while this process holds the terminal; a shell shows TSTP as a stop too.
    const stop = signal === constants.signals.SIGTTOU ? constants.signals.SIGTSTP : signal;
    libc.kill(0, stop);
  },
  close: () => closeSync(fd),
});

/**
 * Returns the controlling terminal; null if there is none or it can't be handled (no koffi).
 * Ignores SIGTTOU from then on: the kernel would stop us for changing the foreground group from the
 * background. https://man7.org/linux/man-pages/man3/tcsetpgrp.3.html
 */
export const openControllingTerminal = (): ControllingTerminal | null => {
  const libc = openLibc();
  if ('reason' in libc) return null;
  let fd: number;
  try {
    fd = openSync('/dev/tty', 'r+');
  } catch {
    return null;
  }
  libc.setDisposition(constants.signals.SIGTTOU, 1);
  return terminalOf(libc, fd);
};

/** Returns whether this process has a controlling terminal, with koffi or without. */
export const hasControllingTerminal = (): boolean => {
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false;
  }
};

/** Ends this process by a signal, so that its parent sees that. Returns if the call is missing. */
export const endBySignal = (signal: number): void => {
  const libc = openLibc();
  if ('reason' in libc) return;
  libc.setDisposition(signal, 0);
  libc.kill(process.pid, signal);
};

/**
 * Ends this process without Node's exit handlers. Node resets the terminal to its initial state
 * (ResetStdio in src/node.cc), which would undo a command such as `stty -echo`. Flush all output
 * first. Returns if the call is missing.
 */
export const exitWithoutReset = (status: number): void => {
  // Node on Windows resets only what it has set itself.
  if (process.platform === 'win32') process.exit(status);
  const libc = openLibc();
  if (!('reason' in libc)) libc.exitAtOnce(status);
};
