import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { findProgram } from '../../programs/find-program.ts';
import { openLibc, type Libc } from './libc.ts';
import { cText, letBlock, rawCommand, rawEnvironment } from './raw-texts.ts';

/** RLIMIT_NOFILE of Linux on all processors but a few old ones. */
const openFilesLimit = 7;

const openFilesOf = (pid: number | 'self'): { readonly soft: bigint; readonly hard: bigint } | null => {
  const text = readFileSync(`/proc/${pid}/limits`, 'utf8');
  const [, soft, hard] = /^Max open files\s+(\d+)\s+(\d+)/mu.exec(text) ?? [];
  return soft === undefined || hard === undefined ? null : { soft: BigInt(soft), hard: BigInt(hard) };
};

/**
 * Node raises its limit of open files to the hard one (src/node.cc, PlatformInit), and what follows
 * in this process would keep that: programs that use select(2) or close all files rely on the soft
 * one. What it was is known of the parent alone.
 */
const lowerOpenFiles = (libc: Libc): void => {
  try {
    if (process.arch !== 'x64' && process.arch !== 'arm64') return;
    const [own, parent] = [openFilesOf('self'), openFilesOf(process.ppid)];
    if (own === null || parent === null || parent.soft >= own.soft) return;
    libc.setLimit(openFilesLimit, BigUint64Array.of(parent.soft, own.hard));
  } catch {
    // Another user's parent, or a limit without a number.
  }
};

/**
 * Replaces this process by a command, with the environment that it was given itself and these
 * changes, all byte for byte. Only returns if that fails, with the name of the error. A signal that
 * was ignored when Node started is not ignored any more: Node itself makes it so, but SIGPIPE and
 * SIGXFSZ, which it ignores itself. https://man7.org/linux/man-pages/man2/execve.2.html
 */
export const replaceProcess = (
  command: readonly [string, ...string[]],
  changes: Readonly<Record<string, string>>,
): string => {
  const found = findProgram(command[0], process.env['PATH']);
  if ('errno' in found) return found.errno;
  const libc = openLibc();
  const words = rawCommand(command);
  if ('reason' in libc) {
    if (process.execve === undefined) return 'ENOSYS';
    process.execve(found.file, [...command], { ...process.env, ...changes });
  } else {
    for (const signal of [constants.signals.SIGPIPE, 25]) libc.setDisposition(signal, 0);
    const signals = new Uint8Array(1024);
    libc.emptySignals(signals);
    libc.setMask(2, signals, null);
    for (const fd of [0, 1, 2]) {
      letBlock(libc, fd);
      libc.keepOverExec(fd);
    }
    lowerOpenFiles(libc);
    const environment = [...rawEnvironment(changes), null];
    libc.execve(cText(found.file), [...words, null], environment);
    let errno = libc.errno();
    // As execvp does: a file without a `#!` line is a shell script.
    if (errno === constants.errno.ENOEXEC) {
      libc.execve(cText('/bin/sh'), [cText('sh'), cText(found.file), ...words.slice(1), null], environment);
      errno = libc.errno();
    }
    return getSystemErrorMap().get(-errno)?.[0] ?? `error ${errno}`;
  }
  return 'ENOSYS';
};
