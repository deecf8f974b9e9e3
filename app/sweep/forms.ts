/**
 * A shell snapshot of Claude Code 2.0 to 2.1.329 (observed); `atMs` is when it was made. A session
 * sources its snapshot at every call and can't run any without it
 * (https://github.com/anthropics/claude-code/issues/3619), so it belongs to any process that may be
 * that session.
 */
export const snapshotName = /^snapshot-(?:bash|zsh)-(?<atMs>\d{13})-[a-z0-9]{4,12}\.sh$/;
/** A socket in the temporary folder: the sandbox's proxy has `claude-http-<16 hex>.sock`. */
export const agentSocketName = /^claude-[A-Za-z0-9][A-Za-z0-9_.-]{0,100}\.sock$/;
/** A socket of the sandbox's multiplexer. */
export const muxSocketName = /^srt-mux-(?<pid>\d{1,7})-\d{1,3}\.sock$/;
/** The socket on which a session takes messages. */
export const messagingSocketName = /^(?<pid>\d{1,7})\.sock$/;

/** True for a socket in the temporary folder that an agent left (2.1.329, observed). */
export const isAgentSocket = (name: string): boolean => agentSocketName.test(name) || muxSocketName.test(name);
