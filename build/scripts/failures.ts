import { relative, sep } from 'node:path';
import type { Report } from './report.ts';

/** A test that failed, or a file that came to no test. */
export interface Failure {
  /** Path of the file, from the root of the project. */
  readonly file: string;
  /** Full name of the test; null where the whole file failed, as one that can't be imported. */
  readonly name: string | null;
  /** What went wrong at each try. */
  readonly messages: readonly string[];
}

/** A path as reports are read here: from the root of the project, with `/`. */
export const fromRoot = (root: string, path: string): string => relative(root, path).split(sep).join('/');

/** What failed in a run, in the order of its report; nothing where there is none, which `tallyOfTests` counts as a failure. */
export const failuresIn = (report: Report | null, root: string): readonly Failure[] =>
  (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }): readonly Failure[] => {
    const file = fromRoot(root, name);
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [{ file, name: null, messages: [message] }];
    return failed.map((one) => ({ file, name: one.fullName, messages: one.failureMessages }));
  });

/** The failure as a person reads it at the end of a long output: which, where, and the first lines of why. */
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
