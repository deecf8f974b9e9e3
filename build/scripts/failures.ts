import { relative, sep } from 'node:path';
import type { Report } from './report.ts';

/** A failed test, or a file that failed to load. */
export interface Failure {
  /** Path of the file, from the root of the project. */
  readonly file: string;
  /** Full name of the test; null if the whole file failed, for example on import. */
  readonly name: string | null;
  /** The error of each try. */
  readonly messages: readonly string[];
}

/** Returns a path as reports are read here: from the root of the project, with `/`. */
export const fromRoot = (root: string, path: string): string => relative(root, path).split(sep).join('/');

/**
 * Returns the failures of a run, in the order of its report; none without a report, which
 * `tallyOfTests` counts as a failure.
 */
export const failuresIn = (report: Report | null, root: string): readonly Failure[] =>
  (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }): readonly Failure[] => {
    const file = fromRoot(root, name);
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [{ file, name: null, messages: [message] }];
    return failed.map((one) => ({ file, name: one.fullName, messages: one.failureMessages }));
  });

/**
 * Returns the lines of a failure for the end of a long output: test, file, and the first lines of
 * the error.
 */
export const linesOfFailure = ({ file, name, messages }: Failure): readonly string[] => [
  `FAILED ${file}${name === null ? '' : ` > ${name}`}`,
  ...messages.flatMap((message) =>
    message
      .split('\n')
      .filter((line) => !/^ +at .*node_modules/u.test(line))
      .slice(0, 16)
      .map((line) => `   ${line.slice(0, 300)}`),
  ),
];
