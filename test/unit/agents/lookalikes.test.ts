import { describe, expect, test } from 'vitest';
import { claimsOf, outputOf, programOf } from '../../../app/agents/signatures.ts';

const wrapped =
  "source /home/me/.claude/shell-snapshots/snapshot-bash-1795232364193-wkirkd.sh 2>/dev/null || true && shopt -u extglob 2>/dev/null || true && eval 'npm run dev' < /dev/null && pwd -P >| /tmp/claude-88d4-cwd";
const muxed = `__MUX_EXIT_CODE_PATH='/tmp/mux-bashes/w/p/exit_code' && trap 'echo $? > "$__MUX_EXIT_CODE_PATH"' EXIT && cd '/srv' && npm test`;

/**
 * Command lines that carry a wrapper's text, or an agent's name, and are no tool shell and no
 * agent.
 */
const innocents: readonly (readonly string[])[] = [
  ['grep', '-r', wrapped, '/var/log'],
  ['grep', 'claude'],
  ['rg', '--', wrapped],
  ['vim', '/tmp/notes.txt', '-c', wrapped],
  ['vim', 'claude.md'],
  ['less', `+/${wrapped}`],
  ['bash', '-c', `grep '${wrapped.replaceAll("'", `'\\''`)}' /var/log/syslog`],
  ['bash', '-c', `echo ${wrapped}`],
  ['bash', '-c', ` ${wrapped}`],
  ['bash', '-c', `${wrapped}; echo more`],
  ['bash', '-c', `${wrapped} `],
  ['bash', '-c', `# ${wrapped}`],
  ['bash', '-x', wrapped],
  ['bash', wrapped],
  ['bash', '-c', 'true', wrapped],
  ['bash', '-c', 'claude -p "fix it"'],
  ['bash', '-c', 'source /home/me/.claude/shell-snapshots/snapshot-bash-1795232364193-wkirkd.sh'],
  ['bash', '-c', 'pwd -P >| /tmp/claude-88d4-cwd'],
  // Without a snapshot the shell is a login shell; this one is not.
  ['bash', '-c', "eval 'npm run dev' < /dev/null && pwd -P >| /tmp/claude-88d4-cwd"],
  ['python3', '-c', wrapped],
  ['logger', '-t', 'watch', wrapped],
  ['ps', '-C', 'claude', wrapped],
  ['tail', '-f', 'claude.log'],
  ['/home/me/bin/claude-code-notes.sh'],
  ['bash', '/home/me/bin/claude-code-notes.sh'],
  ['node', '/home/me/claude/server.js'],
  ['node', '-e', 'require("/usr/bin/claude")', '/usr/bin/claude'],
  ['bash', '-lc', '/usr/bin/claude'],
  ['python3', '-c', 'aider', '/usr/bin/aider'],
  ['python3', '/home/me/train.py', 'claude'],
  ['rg', '--files', '/opt/@anthropic-ai/claude-code/cli.js'],
  // Claude Code runs its own binary as other programs; only argv[0] says which.
  ['ugrep', '-G', '--ignore-files', 'x'],
  ['bwrap', '--', 'claude'],
  ['tmux', 'new-session', 'claude'],
  ['bash', '-c', `echo "${muxed.replaceAll('"', '\\"')}"`],
  ['bash', '-c', muxed.replace('&& trap', '; trap')],
  ['bash', '--norc', '--noprofile', '-c', 'sleep 3600 | cat'],
  ['bash', '-c', 'npm run dev'],
  ['sh', '-c', 'echo __copilot_pid_path=$1; ', 'copilot-detached-supervisor'],
  [
    'zsh',
    '-o',
    'extendedglob',
    '-c',
    'echo snap=$(command cat <&3); builtin eval "$1"; dump_zsh_state >&4',
    '--',
    'ls',
  ],
  ['codex-linux-sandbox', '--', 'bash', '-c', 'npm test'],
  [],
];

describe('what only looks like an agent', () => {
  test.for(innocents.map((argv, index) => ({ argv, title: `${index} ${argv.join(' ').slice(0, 70)}` })))(
    '$title',
    ({ argv }) => {
      expect(claimsOf({ argv }, {})).toEqual([]);
      expect(programOf({ argv, comm: argv[0]?.split('/').at(-1)?.slice(0, 15) ?? 'kworker/0:1' })).toBe(null);
    },
  );

  test('the same text where it belongs is a tool shell', () => {
    expect(claimsOf({ argv: ['bash', '-c', wrapped] }, {})[0]?.shell?.command).toBe('npm run dev');
    expect(claimsOf({ argv: ['bash', '-c', muxed] }, {})[0]?.shell).toEqual({
      rule: 'mux-shell',
      command: 'npm test',
      project: '/srv',
    });
  });

  test.for([
    '/home/me/notes/claude-1000/tasks.output',
    '/tmp/claude-1000/-home-me/43c8e917-0000-0000-0000-000000000000/tasks/x.output.bak',
    '/tmp/claude-1000/-home-me/not a session/tasks/b.output',
    'tmp/claude-1000/-home-me/tasks/b.output',
    'pipe:[123]',
    '/dev/null',
    '/tmp/mux-bashes/output.log',
  ])('%s is no agent’s output file', (path) => {
    expect(outputOf(path)).toBe(null);
  });

  test.for([
    [
      '/private/tmp/claude-501/-Users-me-shop/43c8e917-1111-2222-3333-444455556666/tasks/bi7eshvrw.output',
      'bi7eshvrw',
      true,
    ],
    ['/var/tmp/mine/claude-1000/-home-me-shop/tasks/bi7eshvrw.output', 'bi7eshvrw', false],
    ['/tmp/mux-bashes/ws1/Dev Server/output.log', 'Dev Server', false],
    ['/tmp/mux-bashes/ws1/bash_1/stderr.log', 'bash_1', false],
    ['/home/me/.gemini/tmp/background-processes/background-4711.log', '4711', false],
  ] as const)('%s is one', ([path, task, hasSession]) => {
    expect(outputOf(path)?.match.task).toBe(task);
    expect(outputOf(path)?.match.session !== null).toBe(hasSession);
  });
});
