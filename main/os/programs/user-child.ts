import { spawn } from 'node:child_process';
import { messageOf } from '../../../app/format/error-message.ts';
import type { Account } from '../../../app/all-users/account.ts';
import { noWindow } from './child-window.ts';

/** How a child ended: its exit status, or the name of the signal. */
export interface UserChildEnd {
  readonly status: number | null;
  readonly signal: string | null;
}

/** A program that runs as another user. */
export interface UserChild {
  readonly pid: number;
  /** Closes its standard input, which asks it to end. Nothing is signalled. */
  readonly askToEnd: () => void;
}

/** A start, or why there was none. */
export type UserChildStart =
  | { readonly ok: true; readonly child: UserChild }
  | { readonly ok: false; readonly problem: string };

/**
 * Starts a program with the rights of a user, in a kernel session of its own, with this environment
 * only. Between fork and exec libuv drops every supplementary group, then takes the group, then the
 * user (uv__process_child_init, https://github.com/libuv/libuv/blob/v1.x/src/unix/process.c), so
 * that groups such as docker or sudo are never with it. Its output goes nowhere: what it sees is
 * that user's. Its standard input is a pipe that ends with this process, however it ends.
 */
export const startAsUser = (
  command: readonly [string, ...string[]],
  { uid, gid }: Pick<Account, 'uid' | 'gid'>,
  environment: Readonly<Record<string, string>>,
  onEnd: (end: UserChildEnd) => void,
): UserChildStart => {
  const [file, ...args] = command;
  try {
    const child = spawn(file, args, {
      uid,
      gid,
      cwd: '/',
      env: { ...environment },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      ...noWindow,
    });
    // Emitted in a later turn; the missing pid already says so.
    child.on('error', () => undefined);
    if (child.pid === undefined) return { ok: false, problem: `${file} could not be started as user ${uid}` };
    // The child may close its end: then there is nothing to ask.
    child.stdin.on('error', () => undefined);
    child.on('exit', (status, signal) => onEnd({ status, signal }));
    return { ok: true, child: { pid: child.pid, askToEnd: () => child.stdin.end() } };
  } catch (error) {
    // Node throws what it can't put down to the program, as EPERM of setuid in a container.
    return { ok: false, problem: messageOf(error) };
  }
};
