import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { openLibc, type Libc } from './libc.ts';

/** The controlling terminal of this process and who is in its foreground. Reading and setting never throw; what fails changes nothing. */
export interface ControllingTerminal {
  readonly fd: number;
  /** True while our own group is in the foreground. */
  ownIsForeground(): boolean;
  isForeground(group: number): boolean;
  /** Makes a group of this session the foreground group. */
  give(group: number): void;
  /** Makes our own group the foreground group again. */
  takeBack(): void;
  /** Stops our whole group, as the terminal would have, and returns once somebody continued us, or at once when the kernel would not stop it. */
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
    // TTOU is ignored while we hold the terminal; a shell that shows why we stopped knows TSTP as well.
    const stop = signal === constants.signals.SIGTTOU ? constants.signals.SIGTSTP : signal;
    libc.kill(0, stop);
  },
  close: () => closeSync(fd),
});

/**
 * The controlling terminal; null when there is none or it can't be handled (no koffi). From then on SIGTTOU is ignored: we change the foreground group while we are not
 * in it, and the kernel would stop us for that. https://man7.org/linux/man-pages/man3/tcsetpgrp.3.html
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

/** True when this process has a controlling terminal, with koffi or without. */
export const hasControllingTerminal = (): boolean => {
  try {
    closeSync(openSync('/dev/tty', 'r+'));
    return true;
  } catch {
    return false;
  }
};

/** Ends this process by a signal, so that whoever waits for it learns that. Returns where the call is not there. */
export const endBySignal = (signal: number): void => {
  const libc = openLibc();
  if ('reason' in libc) return;
  libc.setDisposition(signal, 0);
  libc.kill(process.pid, signal);
};

/**
 * Ends this process without Node's farewell. Node sets a terminal back to how it found it (ResetStdio in src/node.cc); a command such as `stty -echo` would
 * have changed nothing. Everything must be written. Returns where the call is not there.
 */
export const exitWithoutReset = (status: number): void => {
  const libc = openLibc();
  if (!('reason' in libc)) libc.exitAtOnce(status);
};
