import { expect, test } from 'vitest';
import { agentName, agentOfRule } from '../../../app/text/agent-name.ts';

test.each([
  ['claude-code', 'claude-shell', 'Claude Code'],
  ['gemini', undefined, 'Gemini CLI'],
  ['other', 'qwen-marker', 'Qwen Code'],
  ['qwen', 'qwen-marker', 'Qwen Code'],
  ['other', 'calls-itself:kestrel', 'kestrel'],
  ['other', 'pi-marker', 'pi'],
  ['other', 'the user’s own rule', 'Another agent'],
  ['other', 'constructor', 'Another agent'],
  ['other', undefined, 'Another agent'],
  ['from-the-future', 'x-marker', 'from-the-future'],
])('%s, known by %s, is called %s', (agent, rule, name) => {
  expect(agentName(agent, rule)).toBe(name);
});

test.each([
  ['claude-sandbox', 'Claude Code'],
  ['codex-marker', 'Codex CLI'],
  ['qwen-marker', 'Qwen Code'],
  ['other-server', null],
  ['constructor', null],
  ['from-the-future', null],
])('the rule %s is of %s', (rule, name) => {
  expect(agentOfRule(rule)).toBe(name);
});
