import { expect, test } from 'vitest';
import { claimsOf } from '../../../app/agents/signatures.ts';
import { loopConditionOf } from '../../../app/diagnose/loop-condition.ts';
import { mainWorktreesIn } from '../../../app/locks/git-folder.ts';
import { patternFits } from '../../../app/guard/script/own-text.ts';
import { redactOutput } from '../../../app/format/secrets/redact-output.ts';
import { projectMatches } from '../../../app/history/filter.ts';
import { exemptionOf } from '../../../app/judge/exemptions.ts';
import { problemSaid } from '../../../app/remote/host-problem.ts';
import { lockHoldersIn } from '../../../main/os/linux/probe/process-probes.ts';
import { vetoesOn } from '../../unit/judge/vetoes/ask.ts';

/**
 * Texts crafted for one pattern each, which begins to match again and again. Scanning the rest for
 * each beginning takes 10^10 steps and more, so that these tests would time out; a small constant
 * number of visits per character is nothing.
 */
const times = 250_000;

test.each([
  ['steps in front of a Gemini shell', `shopt -u promptvars ${'; { '.repeat(times)}`],
  ['files of a Gemini shell', `shopt -u promptvars ${'_bgpids_file='.repeat(times)}`],
  ['folders of a Gemini shell', `_bgpids_file=${'/gemini-shell-a'.repeat(times)}`],
  [
    'ends of a Gemini shell',
    `_bgpids_file=/gemini-shell-a/bgpids.tmp${'\n)\n__code=$?\nexit $__code '.repeat(times)}x`,
  ],
  ['redirections of an earlier Gemini shell', `{ a; }; __code=$?; pgrep -g ${'>'.repeat(times)}`],
  ['ends of an earlier Gemini shell', `{ a${'; }; __code=$?; pgrep -g x>'.repeat(times)}`],
  ['exports of mux', `__MUX_EXIT_CODE_PATH=${"'/a' && export A=".repeat(times)}`],
])('%s', (_, script) => {
  expect(claimsOf({ argv: ['bash', '-c', script.slice(0, 4 * times)] }, null)).toEqual([]);
});

test('helpers of a sandbox', () => {
  const head = '{ socat TCP-LISTEN:1, UNIX-CONNECT:/claude-http-0.sock';
  const script = head + "\n/apply-seccomp x -c 'a".repeat(times);
  expect(claimsOf({ argv: ['bash', '-c', script] }, null)[0]?.shell).toEqual({
    rule: 'claude-sandbox',
    command: null,
    project: null,
  });
});

test('a watched sleep that is not one', () => {
  const command = `{ CLAUDE_CODE_WATCHED_SLEEP=1 sleep${' '.repeat(times)}x`;
  const script = `source /h/.claude/shell-snapshots/snapshot-bash-1-a.sh && eval '${command}' && pwd -P >| /tmp/claude-88d4-cwd`;
  expect(claimsOf({ argv: ['bash', '-c', script] }, null)[0]?.shell?.command).toBe(command);
});

test('blanks in the table of locks', () => {
  expect(lockHoldersIn(`1: ${' '.repeat(times)}`).size).toBe(0);
});

test.each(['\n', ' ', '\r', 'worktree\n', '[a]\n', 'worktree '])('settings of a repository: %j', (part) => {
  expect(mainWorktreesIn(`${part.repeat(times)}[core] bare = no\n[core]WorkTree\t=  ../x \r`)).toEqual(['../x']);
});

test.each(['Host key for ', 'No '])('what ssh says over and over: %s', (words) => {
  expect(problemSaid(words.repeat(times)).code).toBe('other');
});

test.each([
  `while${'\n'.repeat(times)}`,
  `while${'\nwhile x'.repeat(times)}`,
  `while x${'\n'.repeat(times)}`,
  `${'for a '.repeat(700)}${'\n'.repeat(times)}`,
])('a loop that never reaches its do %#', (script) => {
  expect(loopConditionOf(script)).toEqual({ kind: 'hidden' });
});

test('quotes and margins in a line of an output', () => {
  expect(redactOutput('">'.repeat(2 * times)).length).toBeLessThanOrEqual(8_192);
});

test('a program whose name is made of what packaging adds', () => {
  expect(vetoesOn([`x${'-linux'.repeat(times)}!`])).toEqual([]);
});

test('separators in the middle of a folder', () => {
  const folder = `${'/'.repeat(times)}x`;
  const exemption = { project: folder, createdAt: '2026-11-20T00:00:00Z' };
  expect(exemptionOf([exemption], { project: `${folder}y`, command: '', holds: { ports: [] } })).toBeNull();
  expect(projectMatches(`${folder}y`, folder)).toBe(false);
});

test('a pattern of pkill with three gaps, over a text that fits all but its end', () => {
  const pattern = { pattern: 'a.*a.*a.*b', inCommandLines: true, ignoresCase: false };
  expect(patternFits(pattern, 'a'.repeat(4096))).toBe(false);
});
