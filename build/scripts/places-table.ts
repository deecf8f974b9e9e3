/** How a checkout lies, and what else is unusual about where it is tested. */
export interface Place {
  /** Where the checkout lies, below a folder of the run, or below the other user's home. */
  readonly folder: string;
  /** Modes of the folders that lead there, from the outermost; 0755 for the others. */
  readonly modes?: readonly number[];
  /** Below the folder of the run. */
  readonly temporary?: string;
  readonly umask?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** By a user that is made for it, with a home of mode 0700, no sudo and no ids beside its own. */
  readonly byAnother?: true;
  /** How many at the same time; 1 if left out. */
  readonly atOnce?: number;
}

/** Where a checkout of a user may lie. `npm ci && npm test` has to pass at each. */
export const places: Readonly<Record<string, Place>> = {
  private: { folder: 'private/curfew', modes: [0o700] },
  odd: {
    folder: 'plätze zum prüfen/Curfew für alle',
    modes: [0o700],
    temporary: 'plätze zum prüfen/Zwischen lager',
    umask: 0o077,
  },
  // Longer than the path of a socket may be.
  long: { folder: 'long', temporary: 'a-rather-long-name-'.repeat(6) },
  plain: { folder: 'curfew', byAnother: true },
  twice: { folder: 'twice', atOnce: 2 },
  // A missing part is a failure, and so is every skip without an excuse.
  ci: { folder: 'ci', environment: { CI: 'true' } },
};

/**
 * What depends on the place, as filters of vitest with some of each stage: tests that run something
 * as another user, make sockets, copy programs, or ask for modes, home and temporary folder. One
 * file of each kind, and none that takes minutes: there are seven checkouts.
 */
export const dependent: readonly string[] = [
  ...['build', 'cli', 'hooks', 'metrics', 'agents/sessions'].map((name) => `test/unit/${name}`),
  'test/property/paths',
  'test/ui/late-views',
  ...['namespace', 'process-source-machine', 'signaller-limits', 'hooks/script', 'left-open/multi'].map(
    (name) => `test/os/${name}`,
  ),
  ...['killed-run', 'terminal', 'user-manager'].map((name) => `test/os/run/${name}`),
  ...['all-users/each-user', 'command-line', 'faults/hostile-machine', 'found/sweep', 'live/secrets'].map(
    (name) => `test/os/${name}`,
  ),
  ...['mcp', 'remote/hostile-answers', 'settings', 'supervisor/append-to-output', 'sweep'].map(
    (name) => `test/os/${name}`,
  ),
  'test/os/spared/other-people',
  'test/safety/known-worlds',
  'test/desktop',
  'test/package',
];
