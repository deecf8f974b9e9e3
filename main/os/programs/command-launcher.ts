import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type Pid, asPid } from '../../../app/process/identity.ts';
import { ownWindow } from './child-window.ts';
import { findProgram } from './find-program.ts';

/**
 * Starts commands with Node alone: in their own session or in ours. There is no subreaper, and
 * stops are not seen; escaped processes are found by group, kernel session and cookie.
 */
export class NodeLauncher implements CommandLauncher {
  readonly mechanism = 'node';
  readonly subreaper = false;
  readonly groups = false;

  start(order: CommandOrder, listener: CommandListener): CommandStart {
    const [name, ...args] = order.command;
    const found = findProgram(name, process.env['PATH']);
    if ('errno' in found) return { ok: false, errno: found.errno };
    const child = spawn(found.file, args, {
      argv0: name,
      stdio: [...order.stdio],
      detached: order.placement === 'session',
      env: { ...process.env, ...order.environment },
      ...ownWindow,
    });
    child.on('exit', (code, signal) =>
      listener.onEnd(
        signal === null
          ? { kind: 'exited', code: code ?? 0 }
          : { kind: 'signalled', signal: constants.signals[signal] },
      ),
    );
    // Node emits the error in a later turn; a missing pid already shows it, and the file was found.
    child.on('error', () => undefined);
    return child.pid === undefined ? { ok: false, errno: 'EACCES' } : { ok: true, pid: asPid(child.pid) };
  }

  waitForChildren(): 'unknown' {
    // Node reaps its own children, and without a subreaper there are no others.
    return 'unknown';
  }

  killGroup(): boolean {
    return false;
  }
}

/**
 * Where a command is placed. `session`: its own kernel session and group, no controlling terminal.
 * `group`: its own group in our session. `terminal`: the same, and that group becomes the
 * terminal's foreground group before the command starts. `shared`: our own group, so that the
 * terminal treats both alike.
 */
export type Placement = 'session' | 'group' | 'terminal' | 'shared';

export interface CommandOrder {
  readonly placement: Placement;
  /** Descriptor of the controlling terminal; needed for `terminal` only. */
  readonly terminal: number | null;
  /** Variables added or replaced; all others are passed on byte for byte. */
  readonly environment: Readonly<Record<string, string>>;
  /** The descriptors that become its standard input, output and error. */
  readonly stdio: readonly [number, number, number];
  /** As Node has it. If our own command line ends with it, its bytes are passed on. */
  readonly command: readonly [string, ...string[]];
}

export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: number };

/** A started command's pid, or why not. `errno` is the error's name, such as ENOENT. */
export type CommandStart = { readonly ok: true; readonly pid: Pid } | { readonly ok: false; readonly errno: string };

export interface CommandListener {
  readonly onEnd: (end: CommandEnd) => void;
  /** A stop by this signal number; only launchers that can see stops report it. */
  readonly onStop: (signal: number) => void;
}

export interface CommandLauncher {
  /** `posix_spawn`, `job object` on Windows, or `node` without koffi or Linux. */
  readonly mechanism: 'posix_spawn' | 'job object' | 'node';
  /** True if orphans below us become our children, so that parentage finds every process. */
  readonly subreaper: boolean;
  /** Whether `group` and `terminal` are possible. */
  readonly groups: boolean;
  start(order: CommandOrder, listener: CommandListener): CommandStart;
  /**
   * Reaps children that have ended, adopted ones included, without blocking. `none`: this process
   * has no children left, which for a subreaper proves that nothing it started lives; a scan can
   * miss a process that forks and exits all the time. `unknown` without a subreaper.
   */
  waitForChildren(): 'some' | 'none' | 'unknown';
  /**
   * Kills a whole group whose leader is gone, faster than any fork inside it. Only if it contains
   * an unreaped child of ours: then the id can't have been reused. The caller has judged that no
   * other process is in it. False if that proof is missing.
   */
  killGroup(group: number): boolean;
}
