import { describe, expect, test } from 'vitest';
import type { UserRule } from '../../../app/agents/user-rules.ts';
import { compileUserRule, matchUserRule } from '../../../app/agents/user-rules.ts';

const rule: UserRule = { name: 'bot', argv0: 'our-bot', argv: ['run', '--id=\\d+'] };

describe('a user’s rule', () => {
  test.for([
    [['our-bot', 'run', '--id=7'], true],
    [['/usr/bin/our-bot', '--verbose', '--id=7', 'run'], true],
    [['our-bot', 'run', '--id=7x'], false],
    [['our-bot', 'rerun', '--id=7'], false],
    [['our-bot'], false],
    [['grep', 'our-bot', 'run', '--id=7'], false],
    [['our-bots', 'run', '--id=7'], false],
    [[], false],
  ] as const)('%j: %j', ([argv, expected]) => {
    expect(matchUserRule(rule, { argv })).toBe(expected);
  });

  test('a path means that path', () => {
    const exact: UserRule = { ...rule, argv0: '/opt/bot/our-bot' };
    expect(matchUserRule(exact, { argv: ['/opt/bot/our-bot', 'run', '--id=7'] })).toBe(true);
    expect(matchUserRule(exact, { argv: ['our-bot', 'run', '--id=7'] })).toBe(false);
  });

  test('an alternative can’t break out of the anchors', () => {
    const loose: UserRule = { ...rule, argv: ['run|x'] };
    expect(matchUserRule(loose, { argv: ['our-bot', 'run'] })).toBe(true);
    expect(matchUserRule(loose, { argv: ['our-bot', 'running'] })).toBe(false);
    expect(matchUserRule({ ...rule, argv: ['a)|(b'] }, { argv: ['our-bot', 'b'] })).toBe(false);
  });

  test('a folder: in it or below it, and never when it is not known', () => {
    const placed: UserRule = { ...rule, argv: ['run'], project: '/home/me/shop' };
    const row = { argv: ['our-bot', 'run'] };
    expect(matchUserRule(placed, row, () => '/home/me/shop/api')).toBe(true);
    expect(matchUserRule(placed, row, () => '/home/me/shop2')).toBe(false);
    expect(matchUserRule(placed, row, () => null)).toBe(false);
    expect(matchUserRule(placed, row)).toBe(false);
  });

  test('an argument too long to be matched safely fits nothing', () => {
    const any: UserRule = { ...rule, argv: ['a+'] };
    expect(matchUserRule(any, { argv: ['our-bot', 'a'.repeat(1024)] })).toBe(true);
    expect(matchUserRule(any, { argv: ['our-bot', 'a'.repeat(1025)] })).toBe(false);
  });

  test.for(['.*.*.*a?a?a?a?a?b', '(a+)+b', '(a|a)*b', `${'a?'.repeat(60)}${'a'.repeat(60)}b`, '(?:(?:a?){20}){20}b'])(
    '%s, which makes a backtracking engine stand still, is accepted and answers',
    (pattern) => {
      const hostile: UserRule = { ...rule, argv: [pattern] };
      expect(compileUserRule(hostile).ok).toBe(true);
      const long = Array.from({ length: 255 }, () => 'a'.repeat(1024));
      expect(matchUserRule(hostile, { argv: ['our-bot', ...long] })).toBe(false);
      expect(matchUserRule(hostile, { argv: ['our-bot', `${'a'.repeat(60)}b`] })).toBe(true);
    },
  );

  test('arguments behind the first 16,384 characters fit nothing', () => {
    const last: UserRule = { ...rule, argv: ['last'] };
    const filler = (count: number) => Array.from({ length: count }, () => 'a'.repeat(1024));
    expect(matchUserRule(last, { argv: ['our-bot', ...filler(15), 'last'] })).toBe(true);
    expect(matchUserRule(last, { argv: ['our-bot', ...filler(16), 'last'] })).toBe(false);
  });

  test.for([
    [{ ...rule, argv: ['('] }, 'invalid'],
    [{ ...rule, argv: ['(.)\\1'] }, 'back-reference'],
    [{ ...rule, argv: ['(?<x>.)\\k<x>'] }, 'back-reference'],
    [{ ...rule, argv: ['(?=a)b'] }, 'look-around'],
    [{ ...rule, argv: ['(?!a)b'] }, 'look-around'],
    [{ ...rule, argv: ['(?<=a)b'] }, 'look-around'],
    [{ ...rule, argv: ['x(?<!a)b'] }, 'look-around'],
    [{ ...rule, argv: ['(?>a)b'] }, 'invalid'],
    [{ ...rule, argv: ['(?:[ab]{1000}c){1000}'] }, 'invalid'],
    [{ ...rule, argv: ['.{1000}'.repeat(30)] }, 'too-large'],
    [{ ...rule, argv: [''] }, 'empty'],
    [{ ...rule, argv: ['a'.repeat(300)] }, 'too-long'],
  ] as const)('%j is refused: %s', ([bad, code]) => {
    const result = compileUserRule(bad);
    expect(result.ok ? null : result.problems).toMatchObject([{ part: 'argv', index: 0, problem: { code } }]);
    expect(matchUserRule(bad, { argv: ['our-bot', 'a'] })).toBe(false);
  });

  test.for([
    { ...rule, argv0: 'node', argv: [] },
    { ...rule, argv0: '/usr/bin/python3.12', argv: ['.*'] },
    { ...rule, argv0: 'bash', argv: ['.+', '.*'] },
  ])('%j would match everything that an interpreter runs', (broad) => {
    const result = compileUserRule(broad);
    expect(result.ok ? null : result.problems).toEqual([{ part: 'argv', code: 'too-broad' }]);
  });

  test('name, program and folder are checked', () => {
    const result = compileUserRule({ name: ' ', argv0: '', argv: [], project: 'shop' });
    expect(result.ok ? null : result.problems.map((problem) => `${problem.part} ${problem.code}`)).toEqual([
      'name empty',
      'argv0 empty',
      'project not-absolute',
    ]);
  });
});
