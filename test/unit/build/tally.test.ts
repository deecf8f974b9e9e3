import { expect, test } from 'vitest';
import type { Report } from '../../../build/scripts/report.ts';
import {
  countAsFailed,
  flakyIn,
  lineOf,
  linesOfFlaky,
  skippedIn,
  sumOf,
  tallyOfTests,
} from '../../../build/scripts/tally.ts';

type Result = Report['testResults'][number]['assertionResults'][number];

const one = (fullName: string, status: string, ...failureMessages: string[]): Result => ({
  fullName,
  status,
  failureMessages,
});

/** A report as vitest writes it. */
const reportOf = (...assertionResults: Result[]): Report => {
  const count = (...kinds: readonly string[]): number =>
    assertionResults.filter(({ status }) => kinds.includes(status)).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('skipped'),
    numTodoTests: count('todo'),
    testResults: [{ name: '/root/test/os/a.test.ts', status: 'passed', message: '', assertionResults }],
  };
};

test('a test that passed only when it was run again is flaky: named, with its first failure, and counted', () => {
  const report = reportOf(
    one(
      'a scene ends',
      'passed',
      'StageError: waited in vain: the end\n1 0 1 1 S perl',
      'StageError: waited in vain: again',
    ),
    one('another', 'passed'),
    one('broken', 'failed', 'AssertionError: expected 1 to be 2'),
  );
  const flaky = flakyIn(report, '/root');
  expect(flaky.map(({ file, name }) => [file, name])).toEqual([['test/os/a.test.ts', 'a scene ends']]);
  expect(linesOfFlaky(flaky)).toEqual([
    'FLAKY test/os/a.test.ts > a scene ends',
    '   StageError: waited in vain: the end',
    'flaky: 1, passed at a second try after a wait that ran out of time (named above)',
  ]);
  expect(tallyOfTests(report, true)).toEqual({ passed: 2, failed: 1, skipped: 0 });
});

test('nothing is printed when all passed at once', () => {
  expect(linesOfFlaky(flakyIn(reportOf(one('all well', 'passed')), '/root'))).toEqual([]);
});

test('a run that ended badly, ran nothing or left no report counts as a failure, and none of its tests as flaky', () => {
  expect(tallyOfTests(reportOf(one('a', 'passed')), false)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  expect(tallyOfTests(reportOf(), true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(tallyOfTests(reportOf(), true, 'no browser')).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(tallyOfTests(null, true, 'no browser')).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(flakyIn(null, '/root')).toEqual([]);
});

test('a stage that skipped everything is a failure, unless a reason is given', () => {
  const report = reportOf(one('a', 'skipped'), one('b', 'skipped'));
  expect(tallyOfTests(report, true)).toEqual({ passed: 0, failed: 1, skipped: 2 });
  expect(tallyOfTests(report, true, 'no browser')).toEqual({ passed: 0, failed: 0, skipped: 2 });
  expect(tallyOfTests(report, false, 'no browser')).toEqual({ passed: 0, failed: 1, skipped: 2 });
});

test('a skipped test is named, and counts as failed if it had to run', () => {
  const report = reportOf(one('a', 'passed'), one('b', 'skipped'), one('c', 'todo'));
  expect(skippedIn(report, '/root')).toEqual([
    { file: 'test/os/a.test.ts', name: 'b' },
    { file: 'test/os/a.test.ts', name: 'c' },
  ]);
  expect(countAsFailed(tallyOfTests(report, true), 'skipped', 2)).toEqual({ passed: 1, failed: 2, skipped: 0 });
  expect(countAsFailed(tallyOfTests(report, true), 'passed', 1)).toEqual({ passed: 0, failed: 1, skipped: 2 });
});

test('the sum is one line', () => {
  const sum = sumOf([
    { passed: 1, failed: 0, skipped: 2 },
    { passed: 3, failed: 1, skipped: 0 },
  ]);
  expect(lineOf(sum)).toBe('4 passed, 1 failed, 2 skipped');
});
