import type { Pid } from '../../../app/process/identity.ts';

/**
 * Where a command is put. `session`: a kernel session and group of its own, no controlling terminal. `group`: a group of its own in our session.
 * `terminal`: the same, and that group becomes the terminal's foreground group before the command starts. `shared`: in our own group, so that the
 * terminal treats both alike.
 */
export type Placement = 'session' | 'group' | 'terminal' | 'shared';

/** What is to be started. */
export interface CommandOrder {
  readonly placement: Placement;
  /** Descriptor of the controlling terminal; needed for `terminal` only. */
  readonly terminal: number | null;
  /** Added to the environment, or replaced in it; everything else is passed on byte for byte. */
  readonly environment: Readonly<Record<string, string>>;
  /** The descriptors that become its standard input, output and error. */
  readonly stdio: readonly [number, number, number];
  /** Program and arguments, as Node gives them. Where they are the end of our own command line, its bytes are passed on. */
  readonly command: readonly [string, ...string[]];
}

/** How a command ended. */
export type CommandEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: number };

/** What a command was started as, or why it could not be. `errno` is the name of the error, such as ENOENT. */
export type CommandStart = { readonly ok: true; readonly pid: Pid } | { readonly ok: false; readonly errno: string };

/** What is told about a started command. */
export interface CommandListener {
  readonly onEnd: (end: CommandEnd) => void;
  /** A stop by this signal number; told only by a launcher that can see it. */
  readonly onStop: (signal: number) => void;
}

/** Starts one command, waits for it, and, as a subreaper, also for the orphans that it leaves. */
export interface CommandLauncher {
  /** `posix_spawn`, or `node` where koffi or Linux is missing. */
  readonly mechanism: 'posix_spawn' | 'node';
  /** True when orphans below us become our children, so that parentage finds everything. */
  readonly subreaper: boolean;
  /** Whether `group` and `terminal` are possible. */
  readonly groups: boolean;
  start(order: CommandOrder, listener: CommandListener): CommandStart;
  /**
   * Waits for children that have ended, adopted ones included, without blocking. `none`: this process has no children any more, which for a subreaper proves that nobody of
   * what it started lives, where a look at the process table can miss who forks and exits all the time. `unknown` without a subreaper.
   */
  waitForChildren(): 'some' | 'none' | 'unknown';
  /**
   * Kills a whole group whose leader is gone, at once, so that no fork inside it can outrun it. Only when a child of ours that has ended and was not waited for is in it: as
   * long as that is so, the id can't have become another's. The caller has judged that nobody else is in it. False when that proof is missing.
   */
  killGroup(group: number): boolean;
}
