import { describe, expect, test } from 'vitest';
import type { AgentId } from '../../../app/agents/common/agent-id.ts';
import { couldBeAgent } from '../../../app/agents/contained-in.ts';

const could = (agent: AgentId, ...argv: readonly string[]): boolean => couldBeAgent(agent, { argv, comm: 'main' });

describe('a program that contains an agent under another name', () => {
  test.each<[AgentId, readonly string[]]>([
    ['codex', ['/home/me/.local/bin/codex-acp']],
    ['gemini', ['node', '/usr/lib/node_modules/@google/gemini-cli-a2a-server/dist/index.js']],
    ['gemini', ['/usr/bin/node', '/home/me/.vscode/extensions/google.gemini-code-assist-2.1/server.js']],
    ['copilot', ['copilot-language-server', '--stdio']],
    ['claude-code', ['node', '/srv/app/node_modules/@zed-industries/claude-code-acp/dist/index.js']],
    ['claude-code', ['python3', '-m', 'claude_agent_sdk.server']],
    ['opencode', ['/opt/OpenCode/opencode-beta']],
    ['mux', ['/tmp/mux-1.2.3.AppImage']],
  ])('%s as %j', (agent, argv) => {
    expect(could(agent, ...argv)).toBe(true);
  });

  test.each<[AgentId, readonly string[]]>([
    ['mux', ['tmux', 'new']],
    ['codex', ['grep', 'codex', 'notes.txt']],
    ['gemini', ['node', '/home/me/gemini/server.js']],
    ['claude-code', ['node', '/home/me/.claude/hooks/format.js']],
    ['claude-code', ['vim', 'claude.md']],
    ['codex', ['node', '/usr/lib/node_modules/@google/gemini-cli-a2a-server/dist/index.js']],
    ['cursor', ['cursor-helper']],
    ['aider', ['aider-next']],
  ])('but not %s as %j', (agent, argv) => {
    expect(could(agent, ...argv)).toBe(false);
  });

  test('the kernel’s short name counts where a program has set it', () => {
    expect(couldBeAgent('gemini', { argv: ['node', 'x.js'], comm: 'gemini-a2a' })).toBe(true);
  });
});
