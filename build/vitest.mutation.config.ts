import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The tests that mutants of `app/judge`, `app/reap` and `app/jobs` must not survive: those that reach these folders without a process, a disk or a window. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: [
      'test/unit/{agents,diagnose,jobs,judge,reap,run,supervisor}/**/*.test.ts',
      'test/property/{jobs,reap}/**/*.test.ts',
      'test/property/judge.test.ts',
    ],
    testTimeout: 60_000,
  },
});
