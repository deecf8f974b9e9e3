import { fromRoot } from './failures.ts';
import type { Report } from './report.ts';
import type { Skipped } from './skips.ts';

/** How many checks or tests passed, failed and were skipped. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A test that passed only at a later try. */
export interface Flaky {
  /** Path of the file, from the root of the project. */
  readonly file: string;
  readonly name: string;
  /** The error of each earlier try. */
  readonly messages: readonly string[];
}

/** Returns the tally of one check. */
export const tallyOfCheck = (held: boolean): Tally => ({ passed: held ? 1 : 0, failed: held ? 0 : 1, skipped: 0 });

/**
 * Returns the tally of one run of vitest from its JSON report; null is an unreadable report. A run
 * that ended badly, left no report or ran nothing counts as at least one failure: a file that can't
 * be imported has no failed test, and a run without tests proves nothing. `whyNothing` says why a
 * run may have skipped all its tests.
 */
export const tallyOfTests = (report: Report | null, endedWell: boolean, whyNothing: string | null = null): Tally => {
  if (report === null) return tallyOfCheck(false);
  const passed = report.numPassedTests;
  const skipped = report.numPendingTests + report.numTodoTests;
  const proved = passed > 0 || (whyNothing !== null && skipped > 0);
  const failed = Math.max(report.numFailedTests, endedWell && proved ? 0 : 1);
  return { passed, failed, skipped };
};

/**
 * Returns the tests that passed at a later try: vitest keeps the errors of a test's earlier tries
 * in its report.
 */
export const flakyIn = (report: Report | null, root: string): readonly Flaky[] =>
  (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map((one) => ({ file: fromRoot(root, name), name: one.fullName, messages: one.failureMessages })),
  );

/**
 * Returns the skipped tests. vitest calls a test skipped by a condition `skipped`, and one without
 * a body `todo`.
 */
export const skippedIn = (report: Report | null, root: string): readonly Skipped[] =>
  (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => !['passed', 'failed'].includes(status))
      .map((one) => ({ file: fromRoot(root, name), name: one.fullName })),
  );

/** Counts `moved` tests of one kind as failed instead. */
export const countAsFailed = (tally: Tally, kind: 'passed' | 'skipped', moved: number): Tally => ({
  ...tally,
  [kind]: tally[kind] - moved,
  failed: tally.failed + moved,
});

/**
 * Returns the lines about flaky tests, printed before the sum so that retries stay visible; empty
 * if there are none.
 */
export const linesOfFlaky = (all: readonly Flaky[]): readonly string[] =>
  all.length === 0
    ? []
    : [
        ...all.flatMap(({ file, name, messages }) => [
          `FLAKY ${file} > ${name}`,
          `   ${messages[0]?.split('\n', 1)[0]?.slice(0, 300) ?? ''}`,
        ]),
        `flaky: ${all.length}, passed at a second try after a wait that ran out of time (named above)`,
      ];

/** The sum, part by part. */
export const sumOf = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
  failed: tallies.reduce((sum, tally) => sum + tally.failed, 0),
  skipped: tallies.reduce((sum, tally) => sum + tally.skipped, 0),
});

/** `123 passed, 0 failed, 4 skipped` */
export const lineOf = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;
