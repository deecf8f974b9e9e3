import type { Pid } from '../../../app/process/identity.ts';

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
  /**
   * Program and arguments, as Node has them. If they are the end of our own command line, its bytes
   * are passed on.
   */
  readonly command: readonly [string, ...string[]];
}

export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: number };

/**
 * The pid of a started command, or why it could not start. `errno` is the name of the error, such
 * as ENOENT.
 */
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
