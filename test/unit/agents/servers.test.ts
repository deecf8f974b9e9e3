import { describe, expect, test } from 'vitest';
import { environmentNames, serverMarksOf } from '../../../app/agents/signatures.ts';

const claude = {
  AI_AGENT: 'claude-code_2-1-329_harness',
  CLAUDECODE: '1',
  CLAUDE_CODE_SESSION_ID: '0b6b2f4e-1111-4222-8333-444455556666',
  CLAUDE_CODE_MESSAGING_SOCKET: '/run/user/1000/cc-socks/4711.sock',
};
const launched = { CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS: claude.CLAUDE_CODE_SESSION_ID };

const roles = (environment: Readonly<Record<string, string>>): readonly (readonly [string, number | null])[] =>
  serverMarksOf(environment).map(({ mark }) => [mark.role, mark.ownerPid === null ? null : Number(mark.ownerPid)]);

describe('marks of servers', () => {
  test.each([
    ['an MCP server of Claude Code 2.1.329', { ...claude, ...launched }, ['server', 4711]],
    [
      'a language server, without a session',
      { AI_AGENT: claude.AI_AGENT, CLAUDE_CODE_MESSAGING_SOCKET: claude.CLAUDE_CODE_MESSAGING_SOCKET, ...launched },
      ['server', 4711],
    ],
    [
      'a server of 2.1.197',
      { AI_AGENT: 'claude-code_2-1-197_harness', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'x' },
      ['server', null],
    ],
    ['a hook', { ...claude, CLAUDE_PID: '4711', CLAUDE_CODE_CHILD_SESSION: '1' }, ['harness', 4711]],
    ['a hook that is asked as a server', { ...claude, ...launched, CLAUDE_PID: '4711' }, ['harness', 4711]],
    [
      'the sandbox’s proxy',
      { AI_AGENT: claude.AI_AGENT, CLAUDE_CODE_MESSAGING_SOCKET: '/x/cc-socks/9.sock' },
      ['harness', 9],
    ],
    ['a server of 2.0', { CLAUDE_CODE_ENTRYPOINT: 'cli' }, ['weak', null]],
    ['a server of Copilot', { COPILOT_AGENT_SESSION_ID: 'abc' }, ['server', null]],
    ['anything below opencode', { OPENCODE: '1', OPENCODE_PID: '99' }, ['shared', 99]],
    ['anything below Gemini CLI', { GEMINI_CLI: '1' }, ['shared', null]],
    ['a server of Qwen Code', { QWEN_CODE_SESSION_ID: 'abc', QWEN_CODE_LAUNCHER_PID: '9' }, ['server', null]],
    ['a server of pi', { PI_CODING_AGENT: 'true', AI_AGENT: 'pi' }, ['shared', null]],
    ['anything below Cline', { CLINE_CONNECTOR_CLI_LAUNCH: '{}' }, ['shared', null]],
  ] as const)('%s', (_what, environment, expected) => {
    expect(roles(environment)).toEqual([expected]);
  });

  test.each([
    ['a command of Claude Code', { ...claude, AI_AGENT: 'claude-code_2-1-329_agent', CLAUDE_PID: '4711' }],
    ['a command of Copilot', { COPILOT_AGENT_SESSION_ID: 'abc', COPILOT_CLI: '1' }],
    ['a command of Claude Code 2.0', { CLAUDECODE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli', GIT_EDITOR: 'true' }],
    ['a command of Codex', { CODEX_SESSION_ID: 'abc', CODEX_CI: '1' }],
    ['a command of Qwen Code', { QWEN_CODE: '1', QWEN_CODE_SESSION_ID: 'abc' }],
    ['a command of pi', { PI_CODING_AGENT: 'true', PI_SESSION_ID: 'abc' }],
    ['nothing of an agent', {}],
  ] as const)('%s has none', (_what, environment) => {
    expect(roles(environment)).toEqual([]);
  });

  test('a messaging socket elsewhere, or with a number that is no pid, names no agent', () => {
    for (const path of ['/tmp/other/4711.sock', '/tmp/cc-socks/1.sock', '/tmp/cc-socks/99999999.sock', 'cc-socks/5'])
      expect(roles({ ...claude, ...launched, CLAUDE_CODE_MESSAGING_SOCKET: path })).toEqual([['server', null]]);
  });

  test('every variable that is looked at is on the list of those that may be read', () => {
    const asked = new Set<string>();
    serverMarksOf(new Proxy({}, { get: (_none, name) => (asked.add(String(name)), undefined) }));
    expect([...asked].filter((name) => !environmentNames.has(name))).toEqual([]);
    expect(asked.size).toBeGreaterThan(4);
  });
});
