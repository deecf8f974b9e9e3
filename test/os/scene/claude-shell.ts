/**
 * Command lines and environments of Claude Code's tool shells, as seen on the real programs, by
 * version.
 */

/** Parameters of a tool shell. */
export type ClaudeVersion = '2.0.28' | '2.1.197' | '2.1.329';

/** One tool shell to be. */
export interface ShellRequest {
  readonly version: ClaudeVersion;
  readonly home: string;
  readonly command: string;
  /** File made at the start of the session, e.g. `snapshot-bash-1795232964792-3jn0xa.sh`. */
  readonly snapshot: string;
  /** Four hexadecimal digits. */
  readonly folderSuffix: string;
  readonly shell: 'bash' | 'zsh';
}

/** Single quotes as written by the agents: `'` becomes `'"'"'`. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

const forget = (name: string): string =>
  `{ \\builtin unalias -- '${name}'; \\builtin unset -f -- '${name}'; } >/dev/null 2>&1 || true`;

/** The argv of a tool shell. */
export const shellArguments = (request: ShellRequest): readonly string[] => {
  const { version, home, command, snapshot, folderSuffix, shell } = request;
  const source = `source ${home}/.claude/shell-snapshots/${snapshot}`;
  // For a command with a here-document its standard input is left alone.
  const input = command.includes('<<') ? '' : ' < /dev/null';
  const tail = `pwd -P >| /tmp/claude-${folderSuffix}-cwd`;
  if (version === '2.0.28') {
    const piped = command.includes('|') ? command.replace('|', '< /dev/null |') : `${command}${input}`;
    return ['/bin/bash', '-c', '-l', `${source} && eval ${quoted(piped)} && ${tail}`];
  }
  if (shell === 'zsh') {
    const options = 'setopt NO_EXTENDED_GLOB NO_BARE_GLOB_QUAL 2>/dev/null || true';
    return [
      '/bin/zsh',
      '-c',
      `${source} 2>/dev/null || true && ${options} && eval ${quoted(command)}${input} && ${tail}`,
    ];
  }
  const between =
    version === '2.1.197'
      ? 'shopt -u extglob 2>/dev/null || true'
      : `\\builtin shopt -u extglob 2>/dev/null || true && ${forget('which')} && ${forget('unsetenv')}`;
  return [
    '/bin/bash',
    '-c',
    `${source} 2>/dev/null || true && ${between} && eval ${quoted(command)}${input} && ${tail}`,
  ];
};

/** Origin of a tool shell. */
export interface SessionMarks {
  readonly version: ClaudeVersion;
  readonly pid: number;
  readonly session: string;
  readonly executable: string;
  readonly started: string;
  readonly entrypoint: 'cli' | 'sdk-cli';
}

/**
 * Environment that a child of Claude Code has in addition to the user's: tool shells as `agent`,
 * hooks and the like as `harness`.
 */
export const childEnvironment = (marks: SessionMarks, kind: 'agent' | 'harness'): Record<string, string> => {
  const oldest = { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: marks.entrypoint, GIT_EDITOR: 'true' };
  if (marks.version === '2.0.28') return oldest;
  const middle = {
    ...oldest,
    CLAUDE_CODE_SESSION_ID: marks.session,
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_EXECPATH: marks.executable,
    CLAUDE_EFFORT: 'medium',
    AI_AGENT: `claude-code_${marks.version.replaceAll('.', '-')}_agent`,
  };
  if (marks.version === '2.1.197') return middle;
  return {
    ...middle,
    AI_AGENT: `claude-code_${marks.version.replaceAll('.', '-')}_${kind}`,
    CLAUDE_PID: String(marks.pid),
    CLAUDE_CODE_MESSAGING_SOCKET: `/tmp/cc-socks/${marks.pid}.sock`,
    CLAUDE_CODE_MESSAGING_TOKEN: 'scene-secret-never-to-be-seen',
    CLAUDE_CODE_CHILD_NOTES_DIR: marks.started,
    CLAUDE_CODE_SESSION_ATTENDED: '0',
    COREPACK_ENABLE_AUTO_PIN: '0',
    NoDefaultCurrentDirectoryInExePath: '1',
  };
};
