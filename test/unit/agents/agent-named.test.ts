import { expect, test } from 'vitest';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { agentNamed, nameOf, offeredAgentNames } from '../../../app/agents/names.ts';
import { otherAgentNames } from '../../../app/agents/other/names.ts';

test.each([
  ['claude', 'claude-code'],
  ['Claude Code', 'claude-code'],
  ['CLAUDE', 'claude-code'],
  ['claude_code', 'claude-code'],
  ['copilot', 'copilot'],
  ['GitHub Copilot CLI', 'copilot'],
  ['codex', 'codex'],
  ['gemini-cli', 'gemini'],
  ['open-code', 'opencode'],
  ['cursor-agent', 'cursor'],
  ['amp', 'other'],
  ['goose', 'other'],
  ['Qwen Code', 'qwen'],
  ['kimi-code', 'kimi'],
  ['pi', 'pi'],
  ['aider', 'aider'],
])('%s is %s', (name, id) => {
  expect(agentNamed(name)).toBe(id);
});

test.each(['', 'no-agent', 'claud', 'constructor', '__proto__', 'claude-code-2'])('%j is no agent', (name) => {
  expect(agentNamed(name)).toBeNull();
});

test('every id stays its own name, and every name that is shown or offered is understood', () => {
  for (const id of agentIds) expect([agentNamed(id), agentNamed(nameOf(id))]).toEqual([id, id]);
  for (const [key, name] of Object.entries(otherAgentNames))
    expect([agentNamed(key), agentNamed(name)]).toEqual(['other', 'other']);
  for (const name of offeredAgentNames) expect(agentNamed(name)).not.toBeNull();
});
