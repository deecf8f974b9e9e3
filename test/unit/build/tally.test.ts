import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lineOf, linesOfSecondTries, secondTriesIn, sumOf, tallyOfTests } from '../../../build/scripts/tally.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-tally-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const one = (fullName: string, status: string, ...failureMessages: readonly string[]): object => ({
  fullName,
  status,
  failureMessages,
});

/** A report as vitest writes it; `more` stands in for what it has besides. */
const reportOf = (...assertionResults: readonly object[]): string => {
  const file = join(folder, 'report.json');
  const count = (status: string): number =>
    assertionResults.filter((each) => 'status' in each && each.status === status).length;
  const figures = {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: 1,
    numTodoTests: 1,
  };
  writeFileSync(
    file,
    JSON.stringify({
      ...figures,
      success: true,
      testResults: [{ name: 'a.test.ts', status: 'passed', message: '', assertionResults }],
    }),
  );
  return file;
};

test('a test that passed only when it was run again is named, with why it did not the first time', () => {
  const file = reportOf(
    one(
      'a scene ends',
      'passed',
      'StageError: waited in vain: the end\n1 0 1 1 S perl',
      'StageError: waited in vain: again',
    ),
    one('another', 'passed'),
    one('broken', 'failed', 'AssertionError: expected 1 to be 2'),
  );
  const tries = secondTriesIn(file);
  expect(tries).toEqual([{ name: 'a scene ends', why: 'StageError: waited in vain: the end' }]);
  const lines = linesOfSecondTries(tries);
  expect(lines[0]).toContain('1 PASSED ONLY ON THE SECOND TRY');
  expect(lines.join('\n')).toContain('a scene ends');
  expect(tallyOfTests(file, true)).toEqual({ passed: 2, failed: 1, skipped: 2 });
});

test('nothing is said when all passed at once', () => {
  expect(linesOfSecondTries(secondTriesIn(reportOf(one('all well', 'passed'))))).toEqual([]);
});

test('a run that ended badly, ran nothing or left no report counts as a failure, and is no second try', () => {
  expect(tallyOfTests(reportOf(one('a', 'passed')), false)).toEqual({ passed: 1, failed: 1, skipped: 2 });
  expect(tallyOfTests(reportOf(), true)).toEqual({ passed: 0, failed: 1, skipped: 2 });
  const nothing = join(folder, 'nothing.json');
  expect(tallyOfTests(nothing, true)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(secondTriesIn(nothing)).toEqual([]);
});

test('the sum is told in one line', () => {
  const sum = sumOf([
    { passed: 1, failed: 0, skipped: 2 },
    { passed: 3, failed: 1, skipped: 0 },
  ]);
  expect(lineOf(sum)).toBe('4 passed, 1 failed, 2 skipped');
});
