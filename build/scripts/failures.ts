import { relative } from 'node:path';
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

/** What failed in a run, in the order of its report; nothing where there is none, which `tallyOfTests` counts as a failure. */
export const failuresIn = (report: Report | null, root: string): readonly Failure[] =>
  (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }): readonly Failure[] => {
    const file = relative(root, name);
    const failed = assertionResults.filter((one) => one.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [{ file, name: null, messages: [message] }];
    return failed.map((one) => ({ file, name: one.fullName, messages: one.failureMessages }));
  });

/**
 * How a message says that somebody innocent was signalled: `expectUntouched` (test/os/scene/innocents.ts) does in so many words, and where a test
 * asks of one process whether it lives or heard nothing, all that is left of it is a bare false.
 */
const touched = /touched: |expected false to be true/u;

/** Tests whose whole point is that somebody is left alone. */
const ofInnocents = ['test/safety/', 'test/os/spared/'];

/**
 * Whether the failure may have come of what ran beside it, or of a machine that gave somebody no turn: only what happens between
 * processes, or between a page and its server. Never where somebody innocent was touched: what kills the wrong one rarely is as bad as often.
 */
const mayBeOfTheMachine = ({ file, name, messages }: Failure): boolean =>
  name !== null &&
  ['test/os/', 'test/ui/', 'test/desktop/', 'test/package/'].some((folder) => file.startsWith(folder)) &&
  !ofInnocents.some((folder) => file.startsWith(folder)) &&
  !messages.some((message) => touched.test(message));

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

/** More failures than these are no accident: none of them is tried again. */
const mostTriedAlone = 3;

/** Which of the failures of all stages are tried once more, alone. */
export const toTryAlone = <One extends { readonly failure: Failure }>(all: readonly One[]): readonly One[] =>
  all.length > mostTriedAlone ? [] : all.filter(({ failure }) => mayBeOfTheMachine(failure));

/**
 * The pattern for vitest's `--testNamePattern` that fits the test of this full name: the report joins the parts of a name with a space, what is
 * compared with the pattern is joined with ` > ` (vitest 5). Whatever a pattern could take for more than itself fits anything.
 */
export const onlyTest = (fullName: string): string =>
  `^${fullName.replaceAll(/[^\w ]/gu, '.').replaceAll(' ', '( > | )')}$`;
