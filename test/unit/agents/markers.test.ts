import { describe, expect, test } from 'vitest';
import { claimsOf, environmentNames } from '../../../app/agents/signatures.ts';

const kinds = (environment: Record<string, string>): readonly string[] =>
  claimsOf({ argv: ['sleep', '60'] }, environment).map((claim) => `${claim.agent} ${claim.marker?.kind}`);

const session = '43c8e917-1111-2222-3333-444455556666';

describe('what an environment says', () => {
  test.for([
    ['an editor’s terminal', { CLAUDE_CODE_SSE_PORT: '1234', TERM_PROGRAM: 'vscode' }, []],
    ['nothing', {}, []],
    ['only CLAUDECODE', { CLAUDECODE: '1' }, ['claude-code bare']],
    ['CLAUDECODE with another value', { CLAUDECODE: '0' }, []],
    ['an older tool shell', { CLAUDECODE: '1', GIT_EDITOR: 'true' }, ['claude-code tool']],
    ['an older tool shell with a session', { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session }, ['claude-code tool']],
    ['an older hook', { CLAUDECODE: '1', GIT_EDITOR: 'true', CLAUDE_PROJECT_DIR: '/x' }, ['claude-code harness']],
    ['a hook of another agent', { CLAUDE_PROJECT_DIR: '/x' }, []],
    [
      'a harness',
      { AI_AGENT: 'claude-code_2-1-329_harness', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: session },
      ['claude-code harness'],
    ],
    [
      'a harness of a kind to come',
      { AI_AGENT: 'claude-code_3-0-0_worker', CLAUDECODE: '1', GIT_EDITOR: 'true' },
      ['claude-code harness'],
    ],
    [
      'a tool shell under a hook',
      { AI_AGENT: 'claude-code_2-1-329_agent', CLAUDE_PROJECT_DIR: '/x' },
      ['claude-code tool'],
    ],
    ['a user’s own AI_AGENT', { AI_AGENT: 'claude-code' }, ['claude-code bare']],
    ['another agent’s AI_AGENT', { AI_AGENT: 'goose', CLAUDECODE: '1' }, ['claude-code bare', 'other bare']],
    ['an agent of no dossier', { AI_AGENT: 'kestrel@2.1.0' }, ['other bare']],
    ['the same by the rival variable', { AGENT: 'kestrel' }, ['other bare']],
    ['a known agent by its name alone', { AI_AGENT: 'kimi' }, ['kimi bare']],
    ['the name that opencode gives all', { AGENT: '1' }, []],
    ['a name that is none', { AI_AGENT: '\u001b[2Jx' }, []],
    ['a name that is long', { AI_AGENT: 'k'.repeat(41) }, []],
    ['a name with words', { AGENT: 'rm -rf' }, []],
    ['a command of pi', { PI_CODING_AGENT: 'true', AI_AGENT: 'pi', PI_SESSION_ID: session }, ['pi tool']],
    ['a server of pi', { PI_CODING_AGENT: 'true', AI_AGENT: 'pi' }, ['pi bare']],
    ['a command of Qwen Code', { QWEN_CODE: '1', QWEN_CODE_SESSION_ID: session }, ['qwen tool']],
    ['a server of Qwen Code', { QWEN_CODE_SESSION_ID: session, QWEN_CODE_LAUNCHER_PID: '4711' }, ['qwen harness']],
    ['a command of OpenClaw’s model', { OPENCLAW_SHELL: 'exec' }, ['openclaw tool']],
    ['a command of OpenClaw’s user', { OPENCLAW_SHELL: 'tui-local' }, []],
    ['Crush', { CRUSH: '1', AGENT: 'crush', AI_AGENT: 'crush' }, ['crush bare']],
    ['Hermes', { HERMES_SESSION_ID: session }, ['hermes bare']],
    ['Codex sandbox only', { CODEX_SANDBOX: 'seatbelt' }, ['codex bare']],
    ['Codex without ids', { CODEX_CI: '1' }, ['codex tool']],
    ['Copilot without a session', { COPILOT_CLI: '1' }, ['copilot bare']],
    ['opencode without a pid', { OPENCODE: '1' }, ['opencode bare']],
    ['opencode', { OPENCODE: '1', AGENT: '1', OPENCODE_PID: '4711' }, ['opencode tool']],
    ['Cursor', { CURSOR_AGENT: '1' }, ['cursor bare']],
    ['mux', { MUX_WORKSPACE_ID: 'w', MUX_PROJECT_PATH: '/x' }, ['mux tool']],
    ['Amp', { AGENT: 'amp' }, ['other bare']],
    ['Droid', { FACTORY_EXEC_TARGET_AUTONOMY: 'auto-high' }, ['other bare']],
    ['Goose', { GOOSE_TERMINAL: '1' }, ['other bare']],
    ['Cline', { CLINE_CONNECTOR_CLI_LAUNCH: '{"launcher":"cline"}' }, ['cline bare']],
    ['Kilo, made from opencode', { OPENCODE: '1', AGENT: '1', KILO_PID: '4711' }, ['other tool']],
    [
      'opencode in a command of Kilo',
      { OPENCODE: '1', OPENCODE_PID: '4712', KILO_PID: '4711' },
      ['opencode tool', 'other tool'],
    ],
    [
      'Kilo in a command of Cline',
      { CLINE_CONNECTOR_CLI_LAUNCH: '{}', KILO_PID: '4711' },
      ['other tool', 'cline bare'],
    ],
  ] as const)('%s', ([, environment, expected]) => {
    expect(kinds(environment)).toEqual(expected);
  });

  test('a Codex that was started in a Claude tool shell: both claim its commands, the better proof first', () => {
    const environment = { AI_AGENT: 'claude-code_2-1-329_agent', CLAUDE_PID: '23', CODEX_THREAD_ID: session };
    expect(kinds(environment)).toEqual(['claude-code tool', 'codex tool']);
    expect(kinds({ AI_AGENT: 'claude-code_2-1-329_harness', CODEX_THREAD_ID: session })).toEqual([
      'codex tool',
      'claude-code harness',
    ]);
  });

  test.for(['0', '1', '-5', '4711 ', '99999999', '4.7', 'abc', '', '0x10'])('%j is no pid', (value) => {
    const [claim] = claimsOf({ argv: [] }, { AI_AGENT: 'claude-code_2-1-329_agent', CLAUDE_PID: value });
    expect(claim?.marker).toMatchObject({ kind: 'tool', ownerPid: null });
  });

  test.for(['../../etc', 'a b', '', 'x'.repeat(200), '\u001b[2J'])('%j is no session', (value) => {
    const [claim] = claimsOf({ argv: [] }, { AI_AGENT: 'claude-code_2-1-329_agent', CLAUDE_CODE_SESSION_ID: value });
    expect(claim?.marker).toMatchObject({ kind: 'tool', session: null });
  });

  test('an environment that can’t be read leaves what argv says', () => {
    expect(claimsOf({ argv: ['sleep', '60'] }, null)).toEqual([]);
  });

  test('no variable that could hold a secret is ever read', () => {
    // The path of a socket that every user sees in its folder, with the agent's pid in it; what
    // opens it is the token, which isn't read.
    const names = [...environmentNames].filter((name) => name !== 'CLAUDE_CODE_MESSAGING_SOCKET');
    for (const name of names) expect(name).not.toMatch(/TOKEN|KEY|SECRET|PASSWORD|PROXY|SOCKET/);
    expect(environmentNames.has('CURFEW_KEEP')).toBe(true);
  });
});
