import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The first failure ends a mutant, so examples come before properties. */
class CheapFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const cost = ({ moduleId }: TestSpecification): number =>
      moduleId.includes('/property/') ? 2 : moduleId.includes('/supervisor/') ? 1 : 0;
    return Promise.resolve(files.toSorted((one, other) => cost(one) - cost(other)));
  }
}

/** The tests that mutants of `app/judge`, `app/reap` and `app/jobs` must not survive: those that reach these folders without a process, a disk or a window. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: [
      'test/unit/{agents,diagnose,jobs,judge,reap,run,supervisor}/**/*.test.ts',
      'test/unit/hooks/sessions.test.ts',
      'test/property/{jobs,reap}/**/*.test.ts',
      'test/property/judge.test.ts',
    ],
    setupFiles: ['build/vitest.mutation.setup.ts'],
    sequence: { sequencer: CheapFirst },
    testTimeout: 60_000,
    // A worker for each file would start up to fifty of them for one mutant.
    isolate: false,
  },
});
