import type { FileOwner } from './stale-file.ts';

const snapshot = /^snapshot-(?:bash|zsh)-(\d{13})-[a-z0-9]{4,12}\.sh$/;
const agentSocket = /^claude-[A-Za-z0-9][A-Za-z0-9_.-]{0,100}\.sock$/;
const muxSocket = /^srt-mux-(\d{1,7})-\d{1,3}\.sock$/;
const messagingSocket = /^(\d{1,7})\.sock$/;

const ofProcess = (pid: string | undefined): FileOwner | null =>
  pid === undefined ? null : { kind: 'process', pid: Number(pid) };

/**
 * Returns the owner of a shell snapshot: `snapshot-bash-<milliseconds>-<random>.sh`, as named by
 * Claude Code 2.0 to 2.1.329 (observed). null for other names. A session sources its snapshot at
 * every call and can't run any without it (https://github.com/anthropics/claude-code/issues/3619),
 * so it belongs to any process that may be that session.
 */
export const snapshotOwner = (name: string): FileOwner | null => {
  const at = snapshot.exec(name)?.[1];
  return at === undefined ? null : { kind: 'some-session', notBeforeMs: Number(at) };
};

/**
 * Returns the owner of a socket in the temporary folder: `claude-….sock` (the sandbox's proxy has
 * `claude-http-<16 hex>.sock`) has an unnamed one, `srt-mux-<pid>-<n>.sock` belongs to the agent
 * (observed on 2.1.329; agents.md A7). null for other names.
 */
export const temporarySocketOwner = (name: string): FileOwner | null =>
  agentSocket.test(name) ? { kind: 'some-session', notBeforeMs: 0 } : ofProcess(muxSocket.exec(name)?.[1]);

/**
 * Returns the owner of a socket in `cc-socks`: `<pid>.sock`, for the messages of a session
 * (observed on 2.1.329). null for other names.
 */
export const messagingSocketOwner = (name: string): FileOwner | null => ofProcess(messagingSocket.exec(name)?.[1]);
