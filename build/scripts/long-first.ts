import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that mostly wait: for a minute of hostile users, for limits of a minute, for looks at
 * another machine every 30 s, for real agents. Vitest begins with the largest file, so that some of
 * these came last, and the machine waited with them: real agents alone for 3.5 minutes of 26.
 */
const long = [
  'test/os/all-users/hostile-users.test.ts',
  'test/os/remote/silent.test.ts',
  'test/os/spared/windows.test.ts',
  'test/os/remote/many.test.ts',
  'test/os/watching/watch.test.ts',
  'test/os/spared/silent-over-sockets.test.ts',
  'test/safety/worlds.test.ts',
  'test/safety/every-kind.test.ts',
  'test/safety/known-worlds.test.ts',
  'test/os/real-agents/real-agents.test.ts',
  'test/os/faults/hundred-calls.test.ts',
];

const isLong = (moduleId: string): boolean => long.some((file) => moduleId.endsWith(`/${file}`));

const place = ({ project, moduleId }: TestSpecification): number =>
  project.config.sequence.groupOrder * 2 + (isLong(moduleId) ? 0 : 1);

/** Begins with the files that mostly wait, so that the others run meanwhile. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // eslint-disable-next-line unicorn/no-array-sort -- It is vitest's, and sorts no array in place.
    const usual = await super.sort(files);
    return usual.toSorted((left, right) => place(left) - place(right));
  }
}
