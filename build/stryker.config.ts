import type { PartialStrykerOptions } from '@stryker-mutator/api/core';

/**
 * Mutation testing of what decides over a kill: `npm run test:mutation`, or a folder of it: `npm
 * run test:mutation -- --mutate 'app/reap/**'`.
 * https://stryker-mutator.io/docs/stryker-js/configuration/
 */
const options: PartialStrykerOptions = {
  testRunner: 'one-process',
  plugins: ['./build/mutation/runner.ts'],
  mutate: ['app/{judge,reap,jobs}/**/*.ts', 'main/reaping/*.ts', 'main/ending/two-looks.ts'],
  coverageAnalysis: 'perTest',
  // A mutant that is active while a module loads would need all tests each time; the tests of texts
  // and tables see those.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: 'build/out/mutation/incremental.json',
  tempDirName: 'build/out/mutation/sandbox',
  ignorePatterns: ['build/out', 'renderer', 'test/ui', 'test/bench', 'build/icons', 'build/readme'],
  concurrency: 1,
  // A busy machine is no detected mutant; one that never ends is found by counting its rounds.
  timeoutMS: 60_000,
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { reportTests: false, logTests: false, allowColor: false },
  htmlReporter: { fileName: 'build/out/mutation/report.html' },
  jsonReporter: { fileName: 'build/out/mutation/report.json' },
  thresholds: { high: 95, low: 85, break: 85 },
  allowConsoleColors: false,
};

export default options;
