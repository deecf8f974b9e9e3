import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { countsAsPassed, mayRetry, vainWait } from '../../../build/scripts/retries.ts';
import { StageError } from '../../os/scene/stage-error.ts';

const red = '\u001b[31m';
const dim = '\u001b[2m';
const plain = '\u001b[39m';

/** Messages of Playwright 1.65, in a terminal and without one. */
const fromPages: readonly string[] = [
  "expect(locator).toBeVisible() failed\n\nLocator: getByText('no')\nExpected: visible\nTimeout: 300ms\nError: element(s) not found\n",
  `${dim}expect(\u001b[22m${red}locator${plain}${dim}).\u001b[22mtoHaveCount failed\n\nLocator:  x\nExpected: 0\nReceived: 1\nTimeout:  300ms\n\nCall log:\n`,
  'x\n\nCall Log:\n- Timeout 300ms exceeded while waiting on the predicate',
  "locator.click: Timeout 300ms exceeded.\nCall log:\n  - waiting for getByText('no')\n",
  'page.waitForFunction: Timeout 300ms exceeded.',
];

test.each([new StageError('waited in vain: the end\n1 0 1 1 S perl').message, ...fromPages])(
  'a vain wait: %s',
  (message) => {
    expect(message).toMatch(vainWait);
  },
);

test.each([
  'expected 1 to be 2 // Object.is equality',
  "expected 'sent' to be 'gone' // Object.is equality",
  'expected false to be true // Object.is equality',
  'KILL recorded for the recycled number',
  'touched: the diary of vim: expected 2 to be 1',
  "waited in vain: AssertionError: expected 'sent' to be 'gone' // Object.is equality",
  'waited in vain: AssertionError: touched: vim (40) lives: expected false to be true',
  'waited in vain: AssertionError: expected true to be false // Object.is equality',
  'the stage could not be set: Error: no',
  'Test timed out in 240000ms.',
  'Hook timed out in 120000ms.',
  'expected [ { pid: 4 } ] to deeply equal []',
  'Process 4711 is in 0 jobs of\n[]',
  'actor 7 ended instead of answering wait',
  // Playwright's `expect` on a value other than a page: it does not wait.
  `${dim}expect(\u001b[22m${red}received${plain}${dim}).\u001b[22mtoBe${dim}(\u001b[22mexpected${dim})\u001b[22m\n\nExpected: 2\nReceived: 1`,
])('no vain wait, or not only that: %s', (message) => {
  expect(message).not.toMatch(vainWait);
});

/** Text of a test file about none of them. */
const withoutThem = `import { scene } from '../scene/scene.ts';`;

test.each([
  ['test/os/store/log.test.ts', withoutThem],
  ['test/os/live/command.test.ts', withoutThem],
  ['test/ui/popover.test.ts', withoutThem],
  ['test/desktop/electron.test.ts', withoutThem],
  ['test/electron/looks.test.ts', withoutThem],
])('%s, which waits for processes or pages, may run a test again', (file, source) => {
  expect(mayRetry(file, source)).toBe(true);
});

test.each([
  ['test/unit/judge/a.test.ts', withoutThem],
  ['test/architecture/a.test.ts', withoutThem],
  ['test/property/a.test.ts', withoutThem],
  ['test/package/a.test.ts', withoutThem],
  ['test/safety/worlds.test.ts', withoutThem],
  ['test/os/spared/new.test.ts', withoutThem],
  ['test/os/safety/contract.test.ts', withoutThem],
  ['test/os/signaller.test.ts', withoutThem],
  ['test/os/signaller-limits.test.ts', withoutThem],
  ['test/os/run/random-trees.test.ts', withoutThem],
  ['test/os/process-source.test.ts', withoutThem],
  ['test/os/faults/killed-at-each-step.test.ts', withoutThem],
  ['test/os/found/a.test.ts', `import { innocent } from '../scene/innocents.ts';`],
  ['test/os/live/a.test.ts', `expectGone(stage, [shell]);`],
  ['test/os/a.test.ts', `import { pidfds } from '../../main/os/linux/pidfd.ts';`],
  ['test/os/a.test.ts', `test('a recycled pid')`],
  ['test/os/a.test.ts', `expect(incident.signals).toEqual([])`],
])('%s never runs a test again: %s', (file, source) => {
  expect(mayRetry(file, source)).toBe(false);
  expect(countsAsPassed(file, source, ['StageError: waited in vain: the end'])).toBe(false);
});

test('a second try counts as passed only if each earlier error was a timed-out wait', () => {
  const counts = (...messages: readonly string[]): boolean =>
    countsAsPassed('test/os/live/a.test.ts', withoutThem, messages);
  expect(counts('StageError: waited in vain: the end\n    at Scene.until (scene.ts:320:11)')).toBe(true);
  expect(counts('TimeoutError: locator.click: Timeout 300ms exceeded.')).toBe(true);
  expect(counts('StageError: waited in vain: the end', "AssertionError: expected 'sent' to be 'gone'")).toBe(false);
  expect(counts('AssertionError: expected false to be true // Object.is equality')).toBe(false);
});

/**
 * Runs a test file in vitest with the project's runner and condition. Its first try fails with the
 * message.
 */
const play = (file: string, message: string): { readonly passed: boolean; readonly tries: number } => {
  const out = join(import.meta.dirname, '../../../build/out');
  mkdirSync(out, { recursive: true });
  const root = mkdtempSync(join(out, 'retries-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const scripts = join(import.meta.dirname, '../../../build/scripts');
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(
    join(root, file),
    `import { test } from 'vitest';
     let tries = 0;
     test('a', () => { console.log('try'); tries += 1; if (tries === 1) throw new Error(${JSON.stringify(message)}); });`,
  );
  writeFileSync(
    join(root, 'vitest.config.ts'),
    `import { vainWait } from ${JSON.stringify(join(scripts, 'retries.ts'))};
     const retry = { count: 1, condition: vainWait };
     export default { test: { retry, runner: ${JSON.stringify(join(scripts, 'test-runner.ts'))} } };`,
  );
  const args = [join(scripts, '../../node_modules/vitest/vitest.mjs'), 'run', '--root', root, '--reporter=verbose'];
  const { stdout, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
  });
  return { passed: status === 0, tries: stdout.split('\n').filter((line) => line === 'try').length };
};

test('vitest retries a test of a page after a timed-out wait', () => {
  expect(play('test/ui/a.test.ts', 'waited in vain: the end')).toEqual({ passed: true, tries: 2 });
});

test.each([
  ['test/ui/a.test.ts', "expected 'sent' to be 'gone'"],
  ['test/ui/a.test.ts', 'expected false to be true'],
  ['test/os/spared/a.test.ts', 'waited in vain: the end'],
  ['test/os/signaller.test.ts', 'waited in vain: the end'],
])('vitest runs a test of %s once only after "%s"', (file, message) => {
  expect(play(file, message)).toEqual({ passed: false, tries: 1 });
});
