import { describe, expect, test } from 'vitest';
import { callGroupAround, callGroupGiven } from '../../../app/agents/common/call-group.ts';
import { claudeCodeSignature } from '../../../app/agents/claude-code/agent.ts';

const form = claudeCodeSignature.callGroup ?? { name: 'none', controller: 'none' };

describe('on cgroup 1', () => {
  const agent = { memory: '/user/me', pids: '/other', '': '/' };

  test('an agent gives its tool calls a group below its own', () => {
    expect(callGroupGiven(agent, form)).toBe('memory:/user/me/claude-code-bash');
    expect(callGroupGiven({ memory: '/' }, form)).toBe('memory:/claude-code-bash');
  });

  test('a tool call is in that group, whatever its other hierarchies say', () => {
    const call = { ...agent, memory: '/user/me/claude-code-bash' };
    expect(callGroupAround(call, form)).toBe(callGroupGiven(agent, form));
  });

  test('a hierarchy of several controllers is found by the one of them', () => {
    expect(callGroupGiven({ 'cpu,memory': '/a' }, form)).toBe('memory:/a/claude-code-bash');
  });

  test('a group of that name in another hierarchy is none', () => {
    expect(callGroupAround({ memory: '/user/me', pids: '/user/me/claude-code-bash' }, form)).toBeNull();
    expect(callGroupAround({ memory: '/user/me', '': '/user/me/claude-code-bash' }, form)).toBeNull();
  });
});

describe('on cgroup 2', () => {
  const agent = { '': '/user.slice/app.slice/app-terminal-7.scope' };

  test('an agent gives its tool calls a group beside its own', () => {
    expect(callGroupGiven(agent, form)).toBe(':/user.slice/app.slice/claude-code-bash');
    expect(callGroupGiven({ '': '/' }, form)).toBe(':/claude-code-bash');
  });

  test('agents of two terminals of one parent group share it', () => {
    const other = { '': '/user.slice/app.slice/app-terminal-8.scope' };
    expect(callGroupGiven(other, form)).toBe(callGroupGiven(agent, form));
  });
});

describe('inside a group of tool calls', () => {
  const inside = { '': '/user.slice/claude-code-bash' };

  test('an agent uses the one that it is in', () => {
    expect(callGroupGiven(inside, form)).toBe(':/user.slice/claude-code-bash');
  });

  test('what is in a group below it is in it', () => {
    const below = { '': '/user.slice/claude-code-bash/build' };
    expect(callGroupAround(below, form)).toBe(callGroupGiven(inside, form));
    expect(callGroupGiven(below, form)).toBe(callGroupGiven(inside, form));
  });
});

test('a name that only contains the group’s is another', () => {
  const paths = ['/a/claude-code-bash.scope', '/a/my-claude-code-bash', '/a/claude-code-bash-2', '/claude-code'];
  expect(paths.filter((path) => callGroupAround({ '': path }, form) !== null)).toEqual([]);
});

test('groups that can’t be read give nothing', () => {
  expect(callGroupAround(null, form)).toBeNull();
  expect(callGroupGiven(null, form)).toBeNull();
  expect(callGroupGiven({}, form)).toBeNull();
});
