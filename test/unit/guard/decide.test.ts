import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { decide } from '../../../app/guard/decide.ts';
import type { GuardSettings } from '../../../app/guard/settings.ts';
import { defaultGuard } from '../../../app/guard/settings.ts';
import { claudeOnLinux } from './judged.ts';
import { hasShell } from '../../needs.ts';

const decided = (command: string, settings: Partial<GuardSettings>, program: string | null = 'timeout') =>
  decide(
    { command, background: true },
    claudeOnLinux,
    { ...defaultGuard, enabled: true, ...settings },
    {
      possible: true,
      program: () => program,
    },
  );

test('every program that needs a limit gets one, after its assignments and prefixes', () => {
  const bounded = (command: string): string | null => {
    const decision = decided(command, { noTimeout: 'rewrite', neverEnds: 'rewrite', timeoutSeconds: 60 });
    return decision.kind === 'rewrite' ? decision.command : null;
  };
  expect(bounded('npx vite')).toBe('timeout 60 npx vite');
  expect(bounded('cd x && PORT=1 nohup node "a b.js" > log 2>&1')).toBe(
    'cd x && PORT=1 nohup timeout 60 node "a b.js" > log 2>&1',
  );
  expect(bounded('env A=1 node a.js | tee log; (tail -f "$LOG" & tail -f b)')).toBe(
    'env A=1 timeout 60 node a.js | tee log; (tail -f "$LOG" & timeout 60 tail -f b)',
  );
  expect(bounded('node a.js && echo "node b.js" # node c.js')).toBe(
    'timeout 60 node a.js && echo "node b.js" # node c.js',
  );
  expect(bounded('npm test')).toBeNull();
});

test('where nothing can be changed, or there is no timeout, it warns', () => {
  expect(decided('node a.js', { noTimeout: 'rewrite' }, null).kind).toBe('warn');
  expect(decided('node a.js', { noTimeout: 'rewrite' }, 'gtimeout')).toMatchObject({
    command: 'gtimeout 1800 node a.js',
  });
  const settings = { ...defaultGuard, enabled: true, noTimeout: 'rewrite' } as const;
  const stubborn = { possible: false, program: () => 'timeout' };
  expect(decide({ command: 'node a.js', background: true }, claudeOnLinux, settings, stubborn).kind).toBe('warn');
});

test('a refusal takes precedence over a change, and a warning is added to a change', () => {
  const command = 'node a.js > log echo done it';
  const both = decided(command, { noTimeout: 'rewrite' });
  expect(both).toMatchObject({ kind: 'rewrite', command: `timeout 1800 ${command}` });
  expect(both.kind === 'rewrite' ? both.sentences : []).toEqual([
    expect.stringContaining('(noTimeout) gave this command a time limit of 1800 s'),
    expect.stringContaining('(swallowedCommand)'),
  ]);
  expect(decided(command, { noTimeout: 'rewrite', swallowedCommand: 'deny' })).toEqual({
    kind: 'deny',
    sentences: [expect.stringContaining('(swallowedCommand)')],
  });
});

test('a disabled guard passes everything and does not look for timeout', () => {
  const settings = { ...defaultGuard, noTimeout: 'rewrite' } as const;
  const program = (): string => {
    throw new Error('asked');
  };
  const call = { command: 'node a.js', background: true };
  expect(decide(call, claudeOnLinux, settings, { possible: true, program })).toEqual({ kind: 'pass' });
  expect(
    decide({ ...call, background: false }, claudeOnLinux, { ...settings, enabled: true }, { possible: true, program }),
  ).toEqual({
    kind: 'pass',
  });
});

test.each([
  [
    'a bracket between a command and its ampersand',
    '~(&cd /path\nnpx -y marked --gfm -i 01.md | tail -3\nwc -l /tmp/*.html',
  ],
  ['a substitution that is no command, in a redirection', 'PORT=3000 nohup node server.js > log 2>&1$(|)'],
  ['the same in an assignment', 'PORT=$(|) node server.js'],
])('what bash would not read is not refused: %s', (_, command) => {
  expect(hasShell() ? spawnSync('bash', ['-n'], { input: command }).status : 2).not.toBe(0);
  expect(decided(command, { unjoinedLines: 'deny', noTimeout: 'deny' })).toEqual({ kind: 'pass' });
});
