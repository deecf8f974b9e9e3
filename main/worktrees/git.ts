import { filtersIn } from '../../app/worktrees/git-answers.ts';
import { runBounded } from '../os/programs/bounded-program.ts';

/** Milliseconds after which git is given up. */
const timeoutMs = 30_000;
/** Bytes of an answer; more is a problem. */
const maxBytes = 16 * 1024 * 1024;

/**
 * A repository is another program's to write: of its configuration nothing may run (hooks, the
 * monitor, filters), and nothing may hide a change.
 */
const safeConfig: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.untrackedCache', 'false'],
  ['core.checkStat', 'default'],
  ['core.trustctime', 'true'],
  ['core.ignoreStat', 'false'],
  ['core.fileMode', 'true'],
  ['status.showUntrackedFiles', 'all'],
  ['submodule.recurse', 'false'],
];

/**
 * No locks for a look, no question, no fetch of what a partial clone lacks. The home is the user's:
 * its `safe.directory` counts.
 */
const environment = (config: readonly (readonly [string, string])[]): Readonly<Record<string, string>> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  ...(process.env['XDG_CONFIG_HOME'] === undefined ? {} : { XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] }),
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_CONFIG_COUNT: String(config.length),
  ...Object.fromEntries(
    config.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
});

const ask = (
  folder: string,
  args: readonly string[],
  config: readonly (readonly [string, string])[],
): { readonly text: string } | { readonly why: string } => {
  const command: [string, ...string[]] = ['git', '--no-pager', '-C', folder, ...args];
  const { status, stdout, stderr, problem } = runBounded({
    command,
    environment: environment(config),
    timeoutMs,
    maxBytes,
  });
  if (status === 0) return { text: stdout };
  return { why: problem ?? stderr.trim().split('\n').slice(0, 3).join(' ').slice(0, 300) };
};

/** Git in one folder. Null: it gave no answer, which proves nothing. */
export interface Git {
  readonly text: (...args: readonly string[]) => string | null;
  /** Carries out a command that changes something; returns why it failed, or null. */
  readonly change: (...args: readonly string[]) => string | null;
}

/**
 * Opens git in a folder, so that it runs no program of the repository: also none of the filters
 * that its configuration names, which `git status` would. Null: git is not here, or refuses this
 * repository.
 */
export const openGit = (folder: string): Git | null => {
  const names = ask(folder, ['config', '--list', '--name-only', '-z', '--includes'], safeConfig);
  if (!('text' in names)) return null;
  const config = [
    ...safeConfig,
    ...filtersIn(names.text).flatMap((filter): (readonly [string, string])[] => [
      [`filter.${filter}.clean`, ''],
      [`filter.${filter}.smudge`, ''],
      [`filter.${filter}.process`, ''],
      [`filter.${filter}.required`, 'false'],
    ]),
  ];
  return {
    text: (...args) => {
      const answer = ask(folder, args, config);
      return 'text' in answer ? answer.text : null;
    },
    change: (...args) => {
      const answer = ask(folder, args, config);
      return 'text' in answer ? null : answer.why;
    },
  };
};
