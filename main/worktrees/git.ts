import { delimiter, isAbsolute } from 'node:path';
import { startOf } from '../../app/format/secrets/safe-text.ts';
import { safeName } from '../../app/format/secrets/safe-view.ts';
import { filtersIn } from '../../app/worktrees/git-answers.ts';
import { belowShell } from '../os/programs/below-shell.ts';
import { runBounded } from '../os/programs/bounded-program.ts';

/** Milliseconds after which git is given up. */
const usualTimeoutMs = 30_000;
/** Milliseconds after which nothing more is asked of a repository: it may have 2,000 worktrees. */
const usualAllMs = 120_000;
/** The same where it deletes: given up halfway, it leaves a part of a worktree. */
const changeTimeoutMs = 600_000;
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
  // One of a system without upper and lower case hides a file beside one of the same letters.
  ['core.ignoreCase', 'false'],
  ['status.showUntrackedFiles', 'all'],
  ['submodule.recurse', 'false'],
  // A file that says what the parents of commits are.
  ['core.commitGraph', 'false'],
  // Of the file of grafts below: it would stand before the reason of a failure.
  ['advice.graftFileDeprecated', 'false'],
  // No thread can be started where no process can.
  ['core.preloadIndex', 'false'],
  ['index.threads', '1'],
];

/**
 * No locks for a look, no question, no fetch of what a partial clone lacks. The home is the user's:
 * its `safe.directory` counts.
 */
const environment = (config: readonly (readonly [string, string])[]): Readonly<Record<string, string>> => ({
  // A repository may be the current folder.
  PATH: (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter),
  HOME: process.env['HOME'] ?? '',
  ...(process.env['XDG_CONFIG_HOME'] === undefined ? {} : { XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] }),
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Commits as they are: what stands in for one names others as its parents.
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
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
  patience: Patience,
  startsPrograms = false,
): { readonly text: string } | { readonly why: string } => {
  const timeoutMs = startsPrograms ? changeTimeoutMs : patience.timeoutMs;
  if (timeoutMs === 0) return { why: 'git gave no answer before' };
  const sinceMs = performance.now();
  const { status, stdout, stderr, problem } = runBounded({
    command: belowShell(['git', '--no-pager', '-C', folder, ...args], { startsPrograms }),
    environment: environment(config),
    timeoutMs,
    maxBytes,
    endSignal: 'SIGTERM',
  });
  const tookMs = performance.now() - sinceMs;
  if (!startsPrograms) patience.leftMs -= tookMs;
  if (patience.leftMs <= 0 || (status !== 0 && tookMs >= timeoutMs)) patience.timeoutMs = 0;
  if (status === 0) return { text: stdout };
  // Cut after it: of a part of a token it can't be told that it is one.
  const shown = safeName(stderr.trim().split('\n').slice(0, 3).join(' '));
  return { why: problem ?? startOf(shown, 300) };
};

/** How long a repository is waited for at each question. Where it gave no answer once: 0. */
export interface Patience {
  timeoutMs: number;
  /** How long all of its answers may take. */
  leftMs: number;
}

/** Returns the patience of one look at one repository. */
export const newPatience = (): Patience => ({ timeoutMs: usualTimeoutMs, leftMs: usualAllMs });

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
 * @param also a worktree that git looks at from there: it may have a configuration of its own
 */
export const openGit = (folder: string, also: readonly string[] = [], patience = newPatience()): Git | null => {
  const names: string[] = [];
  for (const one of [folder, ...also]) {
    const listed = ask(one, ['config', '--list', '--name-only', '-z', '--includes'], safeConfig, patience);
    if (!('text' in listed)) return null;
    names.push(listed.text);
  }
  const filters = filtersIn(names.join('\0'));
  if (filters === null) return null;
  const config = [
    ...safeConfig,
    ...filters.flatMap((filter): (readonly [string, string])[] => [
      [`filter.${filter}.clean`, ''],
      [`filter.${filter}.smudge`, ''],
      [`filter.${filter}.process`, ''],
      [`filter.${filter}.required`, 'false'],
    ]),
  ];
  return {
    text: (...args) => {
      const answer = ask(folder, args, config, patience);
      return 'text' in answer ? answer.text : null;
    },
    change: (...args) => {
      const answer = ask(folder, args, config, patience, true);
      return 'text' in answer ? null : answer.why;
    },
  };
};
