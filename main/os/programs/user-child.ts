import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { messageOf } from '../../../app/format/error-message.ts';
import type { Account } from '../../../app/all-users/account.ts';
import { noWindow } from './child-window.ts';

export interface UserChildEnd {
  readonly status: number | null;
  readonly signal: string | null;
}

export interface UserChild {
  readonly pid: number;
  /** Closes its standard input, which asks it to end. Nothing is signalled. */
  readonly askToEnd: () => void;
  /**
   * Returns whether it gave a sign of life since the last call: a byte on descriptor 3. What it
   * writes there is thrown away, and no more of it is read at once than a buffer.
   */
  readonly gaveSign: () => boolean;
  /** Sends KILL, which a stopped process gets as well. False: the kernel refused. */
  readonly kill: () => boolean;
  /** Lets this process end although the child has not. */
  readonly abandon: () => void;
}

export type UserChildStart =
  | { readonly ok: true; readonly child: UserChild }
  | { readonly ok: false; readonly problem: string };

/** The descriptor on which a child gives signs of life. */
export const signsFd = 3;

const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'];

/**
 * Returns the command that becomes a user and then is the program: setpriv(1) drops every
 * supplementary group (docker and sudo are never with the child), takes the group, then the user.
 * With a control group it first puts itself in there, so that nothing of the user is outside of it.
 */
const commandAs = (
  helper: string,
  { uid, gid }: Pick<Account, 'uid' | 'gid'>,
  group: string | null,
  command: readonly string[],
): readonly [string, ...string[]] => {
  const ids = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  const become = [helper, ...ids, '--inh-caps=-all', '--no-new-privs', '--', ...command] as const;
  return group === null ? become : ['/bin/sh', '-c', 'echo 0 >"$0/cgroup.procs" && exec "$@"', group, ...become];
};

/**
 * Sends KILL to a child of our own that has become a user. Without CAP_KILL root may signal only
 * processes of its own effective user, so it has the child's for that one call. Its real and saved
 * user stay root's, so that the user can't signal it meanwhile (kill(2), seteuid(2)).
 */
const killAs = (child: ChildProcess, uid: number): boolean => {
  if (child.kill('SIGKILL')) return true;
  if (child.exitCode !== null || child.signalCode !== null || process.seteuid === undefined) return false;
  const own = process.geteuid?.() ?? 0;
  try {
    process.seteuid(uid);
  } catch {
    // The account has gone, or this process may not become a user: nothing was sent.
    return false;
  }
  try {
    return child.kill('SIGKILL');
  } finally {
    process.seteuid(own);
  }
};

const asChild = (child: ChildProcess, pid: number, uid: number): UserChild => {
  const signs = child.stdio[signsFd];
  const isReadable = signs !== null && signs !== undefined && 'read' in signs;
  // Reads one buffer ahead, and then only when asked.
  if (isReadable) signs.on('readable', () => undefined).on('error', () => undefined);
  return {
    pid,
    askToEnd: () => child.stdin?.end(),
    gaveSign: () => isReadable && signs.read() !== null,
    kill: () => killAs(child, uid),
    abandon: () => {
      child.unref();
      child.stdin?.destroy();
      signs?.destroy();
    },
  };
};

/**
 * Starts a program with the rights of a user, in a kernel session of its own, with this environment
 * only. Node's own `uid` is not used: it waits until the new process has become the user and the
 * program, without a bound, and between the two that user can stop it (libuv's uv_spawn reads the
 * exec pipe). Here it waits for a program of root's. The child's output goes nowhere: what it sees
 * is that user's. Its standard input is a pipe that ends with this process, however it ends.
 * @param group path of the control group that it begins in; null: this process's own
 */
export const startAsUser = (
  command: readonly [string, ...string[]],
  { uid, gid }: Pick<Account, 'uid' | 'gid'>,
  environment: Readonly<Record<string, string>>,
  group: string | null,
  onEnd: (end: UserChildEnd) => void,
): UserChildStart => {
  const helper = setpriv.find((path) => existsSync(path));
  if (helper === undefined)
    return { ok: false, problem: 'setpriv (of util-linux) is not on this machine, and children become a user by it' };
  const [file, ...args] = commandAs(helper, { uid, gid }, group, command);
  try {
    const child = spawn(file, args, {
      cwd: '/',
      env: { ...environment },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      ...noWindow,
    });
    // Emitted in a later turn; the missing pid, or the result of a signal, already says so.
    child.on('error', () => undefined);
    if (child.pid === undefined) return { ok: false, problem: `${file} could not be started` };
    // The child may close its end: then there is nothing to ask.
    child.stdin?.on('error', () => undefined);
    child.on('exit', (status, signal) => onEnd({ status, signal }));
    return { ok: true, child: asChild(child, child.pid, uid) };
  } catch (error) {
    return { ok: false, problem: messageOf(error) };
  }
};
