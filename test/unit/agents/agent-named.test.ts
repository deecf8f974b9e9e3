import { expect, test } from 'vitest';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { agentNamed, agentStartedBy, nameOf, offeredAgentNames } from '../../../app/agents/names.ts';
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

test.each([
  ['claude -p go', 'claude-code'],
  ['/home/me/.local/bin/codex', 'codex'],
  ['nohup claude', 'claude-code'],
  ['env A=1 _B2=two nice -n 5 /usr/bin/nohup gemini', 'gemini'],
  ['nice -5 claude', 'claude-code'],
  ['nohup nohup', null],
  ['nohup', null],
  ['', null],
  // These start it as a child, or say what it is not.
  ['timeout 5m claude', null],
  ['setsid claude', null],
  ['env -i claude', null],
  ['echo nohup claude', null],
  ['nohup-claude claude', null],
])('a command `%s` becomes %s', (command, agent) => {
  expect(agentStartedBy(command.split(' '))).toBe(agent);
});

test('a word with a blank is one word', () => {
  expect(agentStartedBy(['env', 'A=nohup b', 'claude'])).toBe('claude-code');
  expect(agentStartedBy(['nohup claude'])).toBe(null);
});
