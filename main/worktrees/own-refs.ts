import { join } from 'node:path';
import { commitsInLog } from '../../app/worktrees/git-answers.ts';
import { filesHere } from '../os/files/small-file.ts';
import type { Worktree } from '../repositories/repository.ts';
import type { Git } from './git.ts';
import { hasSome } from './resumable.ts';

/** Names of one folder that are read; where there are more, nothing is known. */
const maxNames = 2_000;
/** Commits of a log that are asked about; of a longer one nothing is known. */
const maxCommits = 2_000;
/** Folders of logs one below the other: a name of a ref has a few. */
const maxLogDepth = 16;

/** Files and folders by which git says that something is under way (gitrepository-layout(5)). */
const operations: readonly string[] = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'refs/bisect',
  'refs/worktree',
  'refs/rewritten',
  'NOTES_MERGE_WORKTREE',
];

/** Returns whether something is under way in a worktree, by its own git folder. */
export const isInOperation = (gitFolder: string): boolean =>
  [...operations, 'modules'].some((name) => hasSome(join(gitFolder, name)));

/** Returns the text of a small file; empty where it can't be read. */
export const textOf = (path: string, uid: number): string => {
  const file = filesHere.text(path, uid);
  return file.state === 'read' ? file.value : '';
};

/** Returns the number that git answered; null: it gave none. */
export const counted = (text: string | null): number | null =>
  text !== null && /^\d+\s*$/u.test(text) ? Number(text) : null;

/**
 * What of a worktree's own git folder names no commit of its own, or is asked about elsewhere. Git
 * allows more names of refs than it makes; what FETCH_HEAD names can be fetched again.
 */
const knownInside: ReadonlySet<string> = new Set(
  (
    'HEAD FETCH_HEAD index gitdir commondir locked config.worktree logs refs info annex lfs modules ' +
    `fsmonitor--daemon fsmonitor--daemon.ipc ${operations.join(' ')}`
  ).split(' '),
);

/** Returns the texts of all files below a folder, as far as they can be read. */
const textsBelow = (folder: string, uid: number, depth = maxLogDepth): readonly ReturnType<typeof filesHere.text>[] => {
  const names = filesHere.names(folder, maxNames);
  if (names.state !== 'read' || depth === 0) return [{ state: names.state === 'absent' ? 'absent' : 'unreadable' }];
  return names.value.flatMap((name) => {
    const path = join(folder, name);
    const file = filesHere.text(path, uid);
    return file.state === 'read' ? [file] : textsBelow(path, uid, depth - 1);
  });
};

/**
 * Returns how many commits only the logs and the further refs of a worktree name, which go with it:
 * the log of a branch stays. Null: not known.
 */
export const onlyInLogOf = (
  git: Git,
  { gitFolder }: Worktree,
  common: string,
  branch: string | null,
  uid: number,
): number | null => {
  // Refs in tables have their logs there.
  if (filesHere.stamp(join(gitFolder, 'reftable')).state !== 'absent') return null;
  const names = filesHere.names(gitFolder, maxNames);
  if (names.state !== 'read') return null;
  const logs = textsBelow(join(gitFolder, 'logs'), uid);
  // Refs of its own (`ORIG_HEAD`, what `git update-ref SAVED_HEAD` makes) go with it.
  const refs = names.value
    .filter((name) => !knownInside.has(name) && !name.startsWith('sharedindex.'))
    .map((name) => filesHere.text(join(gitFolder, name), uid));
  if ([...logs, ...refs].some(({ state }) => state === 'unreadable')) return null;
  const named = refs.flatMap((ref) => (ref.state === 'read' ? (/^[0-9a-f]{40,64}/u.exec(ref.value)?.[0] ?? []) : []));
  const logged = logs.flatMap((log) => (log.state === 'read' ? commitsInLog(log.value) : []));
  const own = [...new Set([...logged, ...named])];
  const staying = branch === null ? [] : commitsInLog(textOf(join(common, 'logs/refs/heads', branch), uid));
  if (own.length > maxCommits) return null;
  if (own.length === 0) return 0;
  const stays = staying.slice(-maxCommits);
  const not = ['--not', '--branches', '--tags', '--remotes', ...stays];
  return counted(git.text('rev-list', '--count', '--ignore-missing', ...own, ...not, '--'));
};
