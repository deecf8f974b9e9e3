import type { WorktreeFiles } from './worktree.ts';

/** A worktree as `git worktree list --porcelain -z` names it. */
export interface ListedWorktree {
  readonly path: string;
  readonly head: string | null;
  readonly branch: string | null;
  readonly isBare: boolean;
  /** Null: not locked. */
  readonly locked: string | null;
}

const value = (lines: readonly string[], name: string): string | null =>
  lines.find((line) => line === name || line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;

/**
 * Returns what `git worktree list --porcelain -z` says, the main worktree first (git-worktree(1)).
 */
export const listedWorktrees = (text: string): readonly ListedWorktree[] =>
  text
    .split('\0\0')
    .map((entry) => entry.split('\0').filter((line) => line !== ''))
    .flatMap((lines): ListedWorktree[] => {
      const path = value(lines, 'worktree');
      if (path === null) return [];
      return [
        {
          path,
          head: value(lines, 'HEAD'),
          branch: value(lines, 'branch')?.replace(/^refs\/heads\//u, '') ?? null,
          isBare: lines.includes('bare'),
          locked: value(lines, 'locked'),
        },
      ];
    });

/** Folders that tools make again: of packages, caches and compiled code, and nothing by hand. */
const madeAgain: ReadonlySet<string> = new Set([
  'node_modules',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.next',
  '.nuxt',
  '.turbo',
  '.svelte-kit',
  '.parcel-cache',
]);

const isMadeAgain = (path: string): boolean =>
  path.endsWith('/') && path.split('/').some((part) => madeAgain.has(part));

/** At most this many ignored paths are named. */
const maxNamed = 20;

/**
 * Returns what these say of the files of a worktree:
 * @param status `git status --porcelain -z --untracked-files=all --ignored=matching`
 * @param index `git ls-files -z -v --stage`: a letter, mode, object, stage and path; small letters
 *   are files assumed unchanged, `S` those that are left out
 * @param isThere whether a path of the worktree exists
 */
export const filesIn = (status: string, index: string, isThere: (path: string) => boolean): WorktreeFiles => {
  const entries = status.split('\0').filter((entry) => /^.. /u.test(entry));
  const paths = (code: string): readonly string[] =>
    entries.filter((entry) => entry.startsWith(code)).map((entry) => entry.slice(3));
  const tracked = index.split('\0').filter((entry) => entry !== '');
  const isHidden = (entry: string): boolean =>
    /^[a-z]/u.test(entry) || (entry.startsWith('S') && isThere(entry.slice(entry.indexOf('\t') + 1)));
  return {
    changed: entries.filter((entry) => !/^(?:\?\?|!!)/u.test(entry)).length,
    untracked: paths('??').length,
    ignored: paths('!!')
      .filter((path) => !isMadeAgain(path))
      .slice(0, maxNamed),
    hidden: tracked.filter(isHidden).length,
    hasSubmodules: tracked.some((entry) => /^. 160000 /u.test(entry)),
  };
};

/** Returns the commits in the text of a log of a ref: `OLD NEW NAME …` in each line. */
export const commitsInLog = (text: string): readonly string[] => [
  ...new Set(
    [...text.matchAll(/^(?<from>[0-9a-f]{40,64}) (?<to>[0-9a-f]{40,64}) /gmu)]
      .flatMap(({ groups }) => [groups?.['from'] ?? '', groups?.['to'] ?? ''])
      .filter((commit) => !/^0*$/u.test(commit)),
  ),
];

/**
 * Returns the names of filters in `git config --list --name-only -z`: programs that git runs on
 * files. One may be empty (`[filter ""]`). Null: one is no UTF-8, so it can't be told to git.
 */
export const filtersIn = (names: string): readonly string[] | null => {
  const found = names
    .split('\0')
    .flatMap((name) => /^filter\.(?<filter>[\s\S]*)\.[^.]+$/u.exec(name)?.groups?.['filter'] ?? []);
  return found.some((name) => name.includes('\uFFFD')) ? null : [...new Set(found)];
};
