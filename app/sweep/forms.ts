import type { FileOwner } from './stale-file.ts';

/** A shell snapshot of Claude Code; `atMs` is when it was made. */
export const snapshotName = /^snapshot-(?:bash|zsh)-(?<atMs>\d{13})-[a-z0-9]{4,12}\.sh$/;
/** A socket in the temporary folder: the sandbox's proxy has `claude-http-<16 hex>.sock`. */
export const agentSocketName = /^claude-[A-Za-z0-9][A-Za-z0-9_.-]{0,100}\.sock$/;
/** A socket of the sandbox's multiplexer. */
export const muxSocketName = /^srt-mux-(?<pid>\d{1,7})-\d{1,3}\.sock$/;
/** The socket on which a session takes messages. */
export const messagingSocketName = /^(?<pid>\d{1,7})\.sock$/;

const ofProcess = (pid: string | undefined): FileOwner | null =>
  pid === undefined ? null : { kind: 'process', pid: Number(pid) };

/**
 * Returns the owner of a shell snapshot: `snapshot-bash-<milliseconds>-<random>.sh`, as named by
 * Claude Code 2.0 to 2.1.329 (observed). null for other names. A session sources its snapshot at
 * every call and can't run any without it (https://github.com/anthropics/claude-code/issues/3619),
 * so it belongs to any process that may be that session.
 */
export const snapshotOwner = (name: string): FileOwner | null => {
  const at = snapshotName.exec(name)?.groups?.['atMs'];
  return at === undefined ? null : { kind: 'some-session', notBeforeMs: Number(at) };
};

/**
 * Returns the owner of a socket in the temporary folder: `claude-….sock` (the sandbox's proxy has
 * `claude-http-<16 hex>.sock`) has an unnamed one, `srt-mux-<pid>-<n>.sock` belongs to the agent
 * (observed on 2.1.329; agents.md A7). null for other names.
 */
export const temporarySocketOwner = (name: string): FileOwner | null =>
  agentSocketName.test(name)
    ? { kind: 'some-session', notBeforeMs: 0 }
    : ofProcess(muxSocketName.exec(name)?.groups?.['pid']);

/**
 * Returns the owner of a socket in `cc-socks`: `<pid>.sock`, for the messages of a session
 * (observed on 2.1.329). null for other names.
 */
export const messagingSocketOwner = (name: string): FileOwner | null =>
  ofProcess(messagingSocketName.exec(name)?.groups?.['pid']);
