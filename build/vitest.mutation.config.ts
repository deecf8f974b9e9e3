import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The first failure ends a mutant, so the tests of the three folders themselves come first, then those that only use them, then properties. */
class LikeliestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turns = [/\/unit\/(?:jobs|judge|reap)\//, /\/unit\//];
    const turn = ({ moduleId }: TestSpecification): number => {
      const found = turns.findIndex((pattern) => pattern.test(moduleId));
      return found === -1 ? turns.length : found;
    };
    return Promise.resolve(files.toSorted((one, other) => turn(one) - turn(other)));
  }
}

/** The tests that mutants of `app/judge`, `app/reap` and `app/jobs` must not survive: those that reach these folders without a process, a disk or a window. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: [
      'test/unit/{agents,diagnose,jobs,judge,reap,run}/**/*.test.ts',
      'test/unit/hooks/sessions.test.ts',
      'test/property/{jobs,reap}/**/*.test.ts',
      'test/property/judge.test.ts',
    ],
    // Each mutant that survives runs all tests: without these, and the supervisor's, in half the time.
    exclude: ['test/unit/jobs/large.test.ts'],
    setupFiles: ['build/vitest.mutation.setup.ts'],
    sequence: { sequencer: LikeliestFirst },
    testTimeout: 60_000,
    // A worker for each file would start up to fifty of them for one mutant.
    isolate: false,
  },
});
