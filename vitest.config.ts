import { defineConfig } from 'vitest/config';

/** `npm run test:os` and `npm test` run the project `os`, inside a pid namespace; anywhere else it refuses. */
export default defineConfig({
  test: {
    allowOnly: false,
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      { test: { name: 'property', include: ['test/property/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'os',
          include: ['test/os/**/*.test.ts'],
          setupFiles: ['test/os/setup.ts'],
          // All files share one process table, and what a test plants there another would find.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'ui',
          include: ['test/ui/**/*.test.ts'],
          globalSetup: ['test/ui/support/global-setup.ts'],
          // One browser at a time: two of them on two cores measure each other.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
