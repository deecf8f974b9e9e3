/** Names in a git folder that are locks: `index.lock`, `HEAD.lock`, and those of clean-ups. */
export const isLockName = (name: string): boolean => name.endsWith('.lock') || name === 'gc.pid';

/**
 * Those at the top of a git folder. A folder that git takes for a bare repository may have others
 * beside them: `yarn.lock`, `Cargo.lock`.
 */
export const isLockNameAtTop = (name: string): boolean =>
  /^(?:gc\.pid|(?:[A-Z_]+|config|config\.worktree|packed-refs|shallow|gc\.pid|(?:next-)?index.*)\.lock)$/u.test(name);

/**
 * Folders of a repository in which git takes locks, below its common folder; `deep`: in any folder
 * below. No name of a ref may end in `.lock` (git-check-ref-format(1)).
 */
export const lockFolders: readonly { readonly path: string; readonly deep: boolean }[] = [
  { path: '', deep: false },
  { path: 'info', deep: false },
  { path: 'objects', deep: false },
  { path: 'objects/info', deep: true },
  { path: 'refs', deep: true },
  { path: 'reftable', deep: false },
];

/**
 * Returns the folder that the text of a `.git` file or a `gitdir` file names
 * (gitrepository-layout(5)).
 */
export const folderIn = (text: string): string | null => {
  const path = text.replace(/^gitdir: /u, '').replace(/\r?\n[\s\S]*$/u, '');
  return path === '' || path.includes('\0') ? null : path;
};

/**
 * Returns what a repository's settings name as its main worktree (`core.worktree`), and what reads
 * like it. Git asks no included file for it (2.39), and of several the last counts. Each line is
 * read alone: settings are up to 256 KiB of any text.
 */
export const mainWorktreesIn = (config: string): readonly string[] =>
  config.split('\n').flatMap((line) => {
    const at = /(?:^|[\]\s])worktree\s*=/iu.exec(line);
    return at === null ? [] : [line.slice(at.index + at[0].length).trim()];
  });

/**
 * Returns the pid that a reason of a locked worktree names: `claude agent agent-a176 (pid 197259)`
 * (https://github.com/anthropics/claude-code/issues/57765), `claude session x (pid 29884)`.
 */
export const pidInReason = (reason: string): number | null => {
  const pid = /\(pid (?<pid>[1-9]\d{0,9})(?:[ ,;][^()]*)?\)\s*$/u.exec(reason)?.groups?.['pid'];
  return pid === undefined ? null : Number(pid);
};

/** Returns what `gc.pid` names: `12345 host` (lock_repo_for_gc in builtin/gc.c). */
export const holderOfGc = (text: string): { readonly pid: number; readonly host: string } | null => {
  const match = /^(?<pid>[1-9]\d{0,9}) (?<host>\S+)/u.exec(text)?.groups;
  return match === undefined ? null : { pid: Number(match['pid']), host: match['host'] ?? '' };
};

/**
 * Locks of development servers, in the folder of a project, JSON with a `pid`:
 * https://github.com/vercel/next.js/blob/canary/packages/next/src/build/lockfile.ts,
 * https://github.com/nuxt/cli/pull/1265, https://github.com/cloudflare/vinext/pull/1193,
 * https://github.com/vercel/vercel/pull/14897.
 */
export const devServerLocks: readonly string[] = [
  '.next/dev/lock',
  '.next/lock',
  '.nuxt/nuxt.lock',
  'node_modules/.cache/vinext/dev-lock.json',
  '.vercel/dev.lock',
];
