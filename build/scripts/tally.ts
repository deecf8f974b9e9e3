import { readReport } from './report.ts';

/** How many checks or tests ended how. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A test that passed only when it was run again. */
export interface SecondTry {
  readonly name: string;
  /** The first line of what went wrong the first time. */
  readonly why: string;
}

/** The tally of one check that either holds or doesn't. */
export const tallyOfCheck = (held: boolean): Tally => ({ passed: held ? 1 : 0, failed: held ? 0 : 1, skipped: 0 });

/**
 * The tally of one run of vitest from the JSON report it wrote.
 * A run that ended badly, left no report or ran nothing counts as at least one failure: a file that can't be imported
 * has no failed test, and a run without tests proves nothing.
 */
export const tallyOfTests = (file: string, endedWell: boolean): Tally => {
  const report = readReport(file);
  if (report === null) return tallyOfCheck(false);
  const passed = report.numPassedTests;
  const skipped = report.numPendingTests + report.numTodoTests;
  const failed = Math.max(report.numFailedTests, endedWell && passed > 0 ? 0 : 1);
  return { passed, failed, skipped };
};

/**
 * The tests that passed, but not at once: vitest keeps the errors of a test's earlier attempts in its report. Empty where
 * there is no readable report, which `tallyOfTests` counts as a failure.
 */
export const secondTriesIn = (file: string): readonly SecondTry[] =>
  (readReport(file)?.testResults ?? [])
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(({ fullName, failureMessages }) => ({ name: fullName, why: failureMessages[0]?.split('\n', 1)[0] ?? '' }));

/** What is said of them, so that nothing is hidden by a second try; empty when there was none. */
export const linesOfSecondTries = (tries: readonly SecondTry[]): readonly string[] =>
  tries.length === 0
    ? []
    : [
        `!! ${tries.length} PASSED ONLY ON THE SECOND TRY; the first ran out of time:`,
        ...tries.flatMap(({ name, why }) => [`!! ${name}`, `!!    ${why}`]),
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
