import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './build/scripts/long-first.ts';
import { vainWait } from './build/scripts/retries.ts';

/** Each test in there sets a scene: a pid namespace, a network and a /tmp of its own. */
const scenes = [
  'agents-unreachable',
  'all-users',
  'command-line',
  'faults',
  'found',
  'incidents',
  'live',
  'interface',
  'mcp',
  'real-agents',
  'remote',
  'safety',
  'scene',
  'servers',
  'spared',
  'stuck',
  'watching',
].map((folder) => `test/os/${folder}/**/*.test.ts`);

/** These need no more than folders of their own and the processes that they start; nothing in them looks at the process table. */
const ownFolders = [
  'test/os/hooks/claude*.test.ts',
  ...['settings', 'store', 'supervisor', 'sweep'].map((folder) => `test/os/${folder}/**/*.test.ts`),
];

/** It restarts the page's server again and again: `npm run test:day` only. */
const atLength = process.env['CURFEW_TEST_RESTARTS'] === undefined ? ['test/os/live/day.test.ts'] : [];

/** `npm test` gives them a pid namespace of their own, beside the rest of test/os. */
const runs = 'test/os/run/**/*.test.ts';

/**
 * A test on real processes or in a browser that waited in vain runs once more, in the same run and
 * so under the same load. The runner leaves out tests of signals, identities and innocents; what may
 * be tried again stands in build/scripts/retries.ts. `npm test` counts and names what needed it.
 */
const retry = {
  retry: { count: 1, condition: vainWait },
  runner: join(import.meta.dirname, 'build/scripts/test-runner.ts'),
  // By itself vitest's `expect.poll` gives up after a second, which a busy machine needs for less.
  expect: { poll: { timeout: 60_000 } },
};

/** What waits on real processes and pages gives up by itself and says for what; this is only for what hangs, on the busiest machine. Milliseconds. */
const hangs = 480_000;

/**
 * A worker for each core, where nothing but the cores is shared. By itself vitest leaves one of them to the process that hands out the files,
 * which hardly uses it: on a machine with two cores the files ran one after the other, half of the time with one core at rest.
 */
const everyCore = '100%';

/**
 * `npm run test:os` and `npm test` run the projects `os`, `os-runs` and `os-scenes`, inside a pid
 * namespace; anywhere else they refuse.
 */
export default defineConfig({
  test: {
    allowOnly: false,
    sequence: { sequencer: LongFirst },
    // For build/scripts/coverage.ts, which adds what the programs do that tests start.
    coverage: { provider: 'v8', include: ['app/**/*.ts', 'main/**/*.ts'] },
    projects: [
      {
        // The shell is tested on a stand-in: even importing Electron would download it.
        resolve: {
          alias: {
            electron: join(import.meta.dirname, 'test/desktop/stand-in/electron.ts'),
            // The editor gives its API to what it loads; there is no package of it.
            vscode: join(import.meta.dirname, 'test/unit/vscode/stand-in.ts'),
          },
        },
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          setupFiles: ['test/seed.ts'],
          maxWorkers: everyCore,
          // Of a machine that does other things as well; nothing here takes a second by itself.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 30_000 } },
          server: { deps: { inline: ['electron-store'] } },
        },
      },
      {
        test: {
          name: 'property',
          include: ['test/property/**/*.test.ts'],
          setupFiles: ['test/seed.ts'],
          maxWorkers: everyCore,
          testTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'architecture',
          include: ['test/architecture/**/*.test.ts'],
          maxWorkers: everyCore,
          testTimeout: 180_000,
        },
      },
      ...(['os', 'os-runs'] as const).map((name) => ({
        test: {
          name,
          ...retry,
          include: name === 'os' ? ['test/os/**/*.test.ts'] : [runs],
          exclude: name === 'os' ? [...scenes, ...ownFolders, runs] : [],
          setupFiles: ['test/os/setup.ts', 'test/seed.ts'],
          // All files share one process table, and what a test plants there another would find.
          fileParallelism: false,
          sequence: { groupOrder: name === 'os' ? 0 : 3 },
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      })),
      {
        test: {
          name: 'os-scenes',
          ...retry,
          include: [...scenes, ...ownFolders],
          exclude: atLength,
          setupFiles: ['test/os/setup.ts'],
          // They don't see each other and mostly wait. Never beside `os` or `os-runs` in one pid
          // namespace: its tests count processes, choose pids and let Curfew look at all of them.
          // `npm test` gives each of the three a namespace and runs them at once.
          // Of all that `npm test` does, two processors were busy for less than half of the time.
          maxWorkers: 5,
          maxConcurrency: 4,
          sequence: { groupOrder: 1 },
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          // One packs what the other builds anew: build/out is theirs in turn. `npm run build` comes first.
          fileParallelism: false,
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
      {
        // Only by `npm run test:deb`: as root, in a minimal Debian, for minutes.
        test: {
          name: 'deb',
          include: ['test/deb/**/*.test.ts'],
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
      {
        // Only by `npm run test:ansible`: as root, in a minimal Debian, for minutes.
        test: {
          name: 'ansible',
          include: ['test/ansible/**/*.test.ts'],
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
      {
        test: {
          name: 'desktop',
          ...retry,
          include: ['test/desktop/**/*.test.ts'],
          setupFiles: ['test/desktop/setup.ts'],
          // One browser at a time, and scenes beside it.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
      {
        // On a real Electron: `npm run test:electron`, and beside the scenes by `npm test`.
        test: {
          name: 'electron',
          ...retry,
          include: ['test/electron/**/*.test.ts'],
          globalSetup: ['test/electron/support/global-setup.ts'],
          setupFiles: ['test/desktop/setup.ts'],
          // One screen at a time.
          fileParallelism: false,
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
      {
        test: {
          name: 'safety',
          include: ['test/safety/**/*.test.ts'],
          setupFiles: ['test/os/setup.ts'],
          // Among the scenes, as one of their workers.
          maxWorkers: 5,
          maxConcurrency: 12,
          sequence: { groupOrder: 1 },
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
      {
        // `npm run test:windows`, and nothing else: it needs Wine.
        test: {
          name: 'wine',
          include: ['test/windows/wine/**/*.test.ts'],
          maxWorkers: 2,
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
      {
        // `npm run test:prometheus`, and nothing else: it fetches Debian's Prometheus.
        test: {
          name: 'prometheus',
          include: ['test/prometheus/**/*.test.ts'],
          setupFiles: ['test/os/setup.ts'],
          maxWorkers: 2,
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
      {
        test: {
          name: 'ui',
          ...retry,
          include: ['test/ui/**/*.test.ts'],
          globalSetup: ['test/ui/support/global-setup.ts'],
          setupFiles: ['test/seed.ts'],
          sequence: { groupOrder: 4 },
          // One browser a file. Nothing is measured in here, and every wait is for a condition, however long it takes.
          maxWorkers: 2,
          testTimeout: hangs,
          hookTimeout: hangs,
        },
      },
    ],
  },
});
