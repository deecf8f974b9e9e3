import { spoken } from '../text/spoken.ts';
import { describe, expect, test } from 'vitest';
import { readingsOf, testCommandLine } from '../../../app/judge/rule-test.ts';
import { exemptionName, sayRuleTest } from '../../../app/text/settings/rule-test.ts';
import { claudeShell } from '../jobs/plant.ts';

const createdAt = '2026-11-20T00:00:00.000Z';
const rules = [
  { name: 'our bot', argv0: 'house-agent', argv: ['--task', '[a-z0-9]{8}'] },
  { name: 'their bot', argv0: 'other-agent', argv: [], project: '/home/me/other' },
];
const quoted = (argv: readonly string[]): string =>
  argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');

describe('a pasted command line', () => {
  test.each([
    ['quoted as for a shell', quoted(claudeShell('sleep 9 | cat'))],
    ['as ps prints it', claudeShell('sleep 9 | cat').join(' ')],
  ])('of a tool shell, %s, is unwrapped', (_how, line) => {
    const result = testCommandLine(`  ${line}\n`, rules, []);
    expect(result.matches).toEqual([
      { rule: 'claude-shell', agent: 'claude-code', command: 'sleep 9 | cat', own: false, onlyIn: null },
    ]);
    expect(spoken(sayRuleTest(result))).toContain('job of Claude Code');
  });

  test('that only mentions one is no job', () => {
    const result = testCommandLine(`grep "${claudeShell('sleep 9').join(' ')}" log`, rules, []);
    expect(result).toMatchObject({ matches: [], program: null });
    expect(spoken(sayRuleTest(result))).toContain('leave it alone');
  });

  test('of the user’s own rule, and the folder that the rule asks for', () => {
    expect(testCommandLine('/opt/house-agent --task abcd1234', rules, []).matches).toMatchObject([
      { rule: 'our bot', own: true, onlyIn: null },
    ]);
    const result = testCommandLine('other-agent', rules, []);
    expect(result.matches).toMatchObject([{ rule: 'their bot', onlyIn: '/home/me/other' }]);
    expect(spoken(sayRuleTest(result))).toContain('if it runs in /home/me/other');
  });

  test.each([
    ['the words in quotes', ['a b']],
    ['what ps would print of them', ["'a", "b'"]],
  ])('is tried on a rule as %s', (_how, argv) => {
    const line = "house-agent 'a b'";
    const rule = { name: 'our bot', argv0: 'house-agent', argv };
    const match = { rule: 'our bot', agent: 'other', command: line, own: true, onlyIn: null };
    expect(testCommandLine(` ${line}\n`, [rule], [])).toEqual({ matches: [match], exemptions: [], program: null });
  });

  test('of an agent itself, also where its path is in quotes', () => {
    expect(testCommandLine("'/home/me/bin of mine/claude' --resume", rules, []).program).toBe('claude-code');
  });

  test('of an agent itself', () => {
    const result = testCommandLine('claude --resume', rules, []);
    expect(result).toMatchObject({ matches: [], program: 'claude-code' });
    expect(spoken(sayRuleTest(result))).toContain('never ended');
  });

  test('is compared with exemptions as the job would be', () => {
    const exemptions = [
      { command: 'sleep *', createdAt },
      { project: '/', createdAt },
      { command: 'sleep *', port: 3000, createdAt },
    ];
    const result = testCommandLine(claudeShell('sleep 9').join(' '), [], exemptions);
    expect(result.exemptions).toEqual([exemptions[0]]);
    expect(spoken(sayRuleTest(result))).toContain('exempt up to the hard cap');
    expect(exemptions.map(exemptionName)).toEqual(['sleep *', '/', 'sleep *, port 3000']);
  });

  test('shows no secret', () => {
    const line = claudeShell('API_TOKEN=abc123secret ./deploy').join(' ');
    expect(JSON.stringify(testCommandLine(line, [], []))).not.toContain('abc123secret');
  });
});

test.each([
  [
    'a \'b c\' "d\\"e"',
    [
      ['a', 'b c', 'd"e'],
      ['a', "'b", "c'", '"d\\"e"'],
    ],
  ],
  ['a b', [['a', 'b']]],
  ["it's", [["it's"]]],
  ['a | b', [['a', '|', 'b']]],
  ['', [[]]],
])('%s can stand for %j', (line, readings) => {
  expect(readingsOf(line)).toEqual(readings);
});
