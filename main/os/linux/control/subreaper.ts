import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { asPid } from '../../../../app/process/identity.ts';
import { findProgram } from '../../programs/find-program.ts';
import type { CommandLauncher, CommandListener, CommandOrder, CommandStart } from '../../programs/command-launcher.ts';
import type { CText, Libc } from './libc.ts';
import { cText, letBlock, rawCommand, rawEnvironment } from './raw-texts.ts';

/** https://man7.org/linux/man-pages/man2/PR_SET_CHILD_SUBREAPER.2const.html */
const setChildSubreaper = 36;

/** Options of waitpid. */
const noHang = 1;
const alsoStopped = 2;

/** waitid: P_PGID, WEXITED, WNOWAIT. https://man7.org/linux/man-pages/man2/waitid.2.html */
const byGroup = 2;
const exited = 4;
const leaveWaitable = 0x0100_0000;

/** Flags of posix_spawn: the same numbers in glibc and musl. */
const spawnSetGroup = 0x02;
const spawnSetDefaultSignals = 0x04;
const spawnSetMask = 0x08;
const spawnSetSession = 0x80;

/** Larger than these structures in any library (glibc: 336 bytes). */
const structure = (): Uint8Array => new Uint8Array(1024);

const errnoName = (errno: number): string => getSystemErrorMap().get(-errno)?.[0] ?? `error ${errno}`;

/**
 * Starts commands with posix_spawn, which can put them into their own group and make that the
 * terminal's foreground group before they run; Node's spawn knows only setsid. This process becomes
 * the subreaper of everything started: a process that double-forks or calls setsid stays its
 * descendant. Every child of this process is reaped here, so no other code in it may start
 * processes asynchronously.
 */
export class SubreaperLauncher implements CommandLauncher {
  readonly mechanism = 'posix_spawn';
  readonly groups = true;
  readonly subreaper: boolean;
  readonly #libc: Libc;
  readonly #listeners = new Map<number, CommandListener>();

  constructor(libc: Libc) {
    this.#libc = libc;
    this.subreaper = libc.prctl(setChildSubreaper, 1) === 0;
    process.on('SIGCHLD', () => this.waitForChildren());
  }

  start(order: CommandOrder, listener: CommandListener): CommandStart {
    const [name] = order.command;
    const found = findProgram(name, process.env['PATH']);
    if ('errno' in found) return { ok: false, errno: found.errno };
    const words = rawCommand(order.command);
    let result = this.#spawn(found.file, words, order);
    // As execvp does: a file without a `#!` line is a shell script.
    if (result.errno === constants.errno.ENOEXEC)
      result = this.#spawn('/bin/sh', [cText('sh'), cText(found.file), ...words.slice(1)], order);
    if (result.errno !== 0) return { ok: false, errno: errnoName(result.errno) };
    this.#listeners.set(result.pid, listener);
    return { ok: true, pid: asPid(result.pid) };
  }

  waitForChildren(): 'some' | 'none' | 'unknown' {
    const status = new Int32Array(1);
    for (;;) {
      const pid = this.#libc.waitpid(-1, status, noHang | alsoStopped);
      if (pid <= 0) return this.subreaper ? (pid === 0 ? 'some' : 'none') : 'unknown';
      const word = status[0] ?? 0;
      const listener = this.#listeners.get(pid);
      if ((word & 0xff) === 0x7f) {
        listener?.onStop((word >> 8) & 0xff);
        continue;
      }
      this.#listeners.delete(pid);
      const signal = word & 0x7f;
      listener?.onEnd(signal === 0 ? { kind: 'exited', code: (word >> 8) & 0xff } : { kind: 'signalled', signal });
    }
  }

  killGroup(group: number): boolean {
    if (group <= 1 || group === this.#libc.getpgrp()) return false;
    // siginfo_t has 128 bytes; its third word is the pid. Only this code reaps, so the child stays
    // between this check and the signal.
    const found = new Int32Array(32);
    const looked = this.#libc.waitid(byGroup, group, found, noHang | exited | leaveWaitable);
    if (looked !== 0 || !found.some((word) => word !== 0)) return false;
    return this.#libc.kill(-group, constants.signals.SIGKILL) === 0;
  }

  #spawn(file: string, words: readonly CText[], order: CommandOrder): { readonly errno: number; readonly pid: number } {
    const libc = this.#libc;
    const actions = structure();
    const attributes = structure();
    const signals = structure();
    const check = (errno: number): void => {
      if (errno !== 0) throw new Error(`a command could not be prepared: ${errnoName(errno)}`);
    };
    check(libc.initActions(actions));
    check(libc.initAttributes(attributes));
    try {
      const placed = order.placement === 'session' ? spawnSetSession : order.placement === 'shared' ? 0 : spawnSetGroup;
      check(libc.setFlags(attributes, placed | spawnSetDefaultSignals | spawnSetMask));
      check(libc.setGroup(attributes, 0));
      libc.fillSignals(signals);
      check(libc.setDefaultSignals(attributes, signals));
      libc.emptySignals(signals);
      check(libc.setSignalMask(attributes, signals));
      if (order.placement === 'terminal' && order.terminal !== null && libc.addForeground !== null)
        check(libc.addForeground(actions, order.terminal));
      order.stdio.forEach((from, to) => {
        letBlock(libc, from);
        // Also from a descriptor to itself: Node marks 0 to 2 as close-on-exec, and this clears the
        // mark.
        check(libc.addDup2(actions, from, to));
      });
      const pid = new Int32Array(1);
      const environment = [...rawEnvironment(order.environment), null];
      const errno = libc.posixSpawn(pid, cText(file), actions, attributes, [...words, null], environment);
      return { errno, pid: pid[0] ?? 0 };
    } finally {
      libc.destroyActions(actions);
      libc.destroyAttributes(attributes);
    }
  }
}
