import { childEnvironment, shellArguments, type ClaudeVersion } from '../../os/scene/claude-shell.ts';

/** What a test says of one process; the rest is ordinary. */
export interface Plant {
  readonly pid: number;
  /** Split at blanks where it is one text. */
  readonly argv: string | readonly string[];
  /** 1 where nothing is said. */
  readonly ppid?: number;
  /** Group and kernel session: the parent's where nothing is said, and its own under process 1. */
  readonly pgid?: number;
  readonly sid?: number;
  /** Device number of the controlling terminal. */
  readonly tty?: number;
  /** Seconds since boot; in the order of telling where nothing is said. */
  readonly start?: number;
  /** null: can't be read. */
  readonly env?: Readonly<Record<string, string>> | null;
  /** Files behind standard output and standard error. */
  readonly outputs?: readonly string[];
  readonly state?: 'R' | 'S' | 'D' | 'T' | 'Z';
  readonly uid?: number | null;
  readonly comm?: string;
  readonly kernelThread?: boolean;
  readonly cwd?: string;
  readonly pidNamespace?: string;
  /** See `MemberFacts`. */
  readonly image?: string;
  readonly ports?: readonly number[];
  readonly readsPipe?: boolean;
  /**
   * Its standard input and output are private channels of which this process holds the other ends.
   * A machine tells channels if one of its first processes has this.
   */
  readonly heldBy?: number;
}

/** A session and its agent's process. */
export interface Marks {
  readonly version?: ClaudeVersion;
  readonly pid: number;
  readonly session?: string;
}

/** Two session ids. */
export const sessionA = '43c8e917-0000-4000-8000-00000000000a';
export const sessionB = '43c8e917-0000-4000-8000-00000000000b';

/**
 * What a tool call of Claude Code has in its environment; `harness` for hooks, MCP servers and
 * daemons.
 */
export const claudeEnvironment = (marks: Marks, kind: 'agent' | 'harness' = 'agent'): Record<string, string> =>
  childEnvironment(
    {
      version: marks.version ?? '2.1.329',
      pid: marks.pid,
      session: marks.session ?? sessionA,
      executable: '/usr/bin/claude',
      started: '/tmp/claude-1000/-home-me-shop/started',
      entrypoint: 'cli',
    },
    kind,
  );

/** The argv of a tool shell of Claude Code. */
export const claudeShell = (command: string, version: ClaudeVersion = '2.1.329'): readonly string[] =>
  shellArguments({
    version,
    home: '/home/me',
    command,
    snapshot: 'snapshot-bash-1795232964792-3jn0xa.sh',
    folderSuffix: '680a',
    shell: 'bash',
  });

/** The output file of a task. */
export const outputFile = (task: string, session = sessionA, slug = '-home-me-shop'): string =>
  `/tmp/claude-1000/${slug}/${session}/tasks/${task}.output`;

/** What the other agents put into the environment of a command. */
export const environments = {
  codex: (session: string) => ({ CODEX_SESSION_ID: session, CODEX_THREAD_ID: session, CODEX_CI: '1' }),
  copilot: (session: string) => ({ COPILOT_CLI: '1', COPILOT_AGENT_SESSION_ID: session }),
  gemini: () => ({ GEMINI_CLI: '1' }),
  opencode: (pid: number) => ({ AGENT: '1', OPENCODE: '1', OPENCODE_PID: String(pid) }),
  cursor: () => ({ CURSOR_AGENT: '1' }),
  mux: (workspace: string) => ({ MUX_WORKSPACE_ID: workspace, MUX_PROJECT_PATH: '/home/me/shop' }),
} as const;

/** The argv of a background shell of mux. */
export const muxShell = (command: string, runtime = 'worktree'): readonly string[] => [
  'bash',
  '-c',
  `__MUX_EXIT_CODE_PATH='/tmp/mux-bashes/w/bash_1/exit_code' && trap 'echo $? > "$__MUX_EXIT_CODE_PATH"' EXIT && cd '/home/me/shop' && export MUX_PROJECT_PATH='/home/me/shop' && export MUX_RUNTIME='${runtime}' && export MUX_WORKSPACE_ID='w' && ${command}`,
];

/** The argv of a tool shell of Gemini CLI. */
export const geminiShell = (command: string): readonly string[] => [
  '/usr/bin/bash',
  '-c',
  `shopt -u promptvars nullglob; _bgpids_file=/tmp/gemini-shell-Ab12Cd/bgpids.tmp\n(\ntrap 'jobs -p > "$_bgpids_file"' EXIT\n${command}\n)\n__code=$?\nexit $__code`,
];
