import { formatAge } from '../../format/age.ts';
import type { Said } from '../../format/said.ts';
import { safeName } from '../../format/secrets/safe-view.ts';
import { visibleText } from '../../format/visible.ts';
import type { KeepReason, WorktreeFacts } from '../../worktrees/worktree.ts';
import { type Form, joined, listed, say, sized } from '../form.ts';
import { pidsSaid, sayLockReason } from './locks.ts';

const reasons = {
  missing: 'its folder is gone: `git worktree prune` forgets it',
  'not-read': 'git does not tell all of it',
  'not-made-by-agent': 'no agent made it, by its place: name it to have it removed',
  declared: '{declaredBy} lists it as its own, or may: remove it there',
  young: 'it was used within the hour: name it to have it removed',
  changed: '{changed} changed: commit or discard',
  untracked: '{untracked} untracked: add or delete',
  ignored: 'ignored files that no build is known to make again ({ignored}): move or delete',
  hidden: '{hidden} whose changes git was told to overlook',
  submodules: 'it has submodules',
  nested: 'another repository or worktree lies in it',
  'not-counted': 'not all of it can be read, or something is mounted in it',
  operation: 'a rebase, merge or bisect is under way',
  unpushed: '{unpushed} commits are on no remote and no other branch: push or merge',
  'only-in-log': '{onlyInLog} commits are only in its log of HEAD: give them a branch',
  locked: 'locked ({lock}; {why})',
  'in-use': 'in use by {pids}',
  'session-open': 'a session in it is open',
  resumable: 'an ended session may go on in it: name it to have it removed',
  'not-all-seen': 'not every process that may use it can be seen',
  elsewhere: 'another machine may use it',
} as const satisfies Readonly<Record<KeepReason, Form>>;

const shown = (text: string): string => safeName(visibleText(text));

const free = 'Clean, all of it is on a remote or another branch, and nothing uses it.';

/** Says why a worktree stays, with what to do. */
export const sayKeep = (reason: KeepReason, facts: WorktreeFacts): Said => ({
  key: reasons[reason],
  figures: {
    changed: facts.files?.changed ?? 0,
    untracked: facts.files?.untracked ?? 0,
    hidden: facts.files?.hidden ?? 0,
    ignored: shown((facts.files?.ignored ?? []).slice(0, 3).join(', ')),
    declaredBy: facts.declaredBy ?? '',
    unpushed: facts.unpushed ?? 0,
    onlyInLog: facts.onlyInLog ?? 0,
    pids: pidsSaid(facts.users ?? []),
    lock: shown(facts.locked?.reason ?? ''),
    why: facts.locked === null ? '' : sayLockReason(facts.locked.verdict),
  },
});

/** Why something stays that is another by now, or in another state. */
export const notAsShown: Said = say('it changed since it was shown');

/** Says why a worktree may go, and which commit it was at: that is where it can be made again. */
export const worktreeIsFree = ({ branch, head }: Pick<WorktreeFacts, 'branch' | 'head'>): Said =>
  joined(
    say(free),
    say('It was at {commit}, {branch}.', {
      commit: head ?? '?',
      branch: branch === null ? say('no branch') : shown(branch),
    }),
  );

/** Says what a worktree is, and why it stays or may go. */
export const sayWorktree = (facts: WorktreeFacts, keeps: readonly KeepReason[], nowMs: number): Said =>
  joined(
    say('{size}, {branch}, used {age} ago{origin}.', {
      size: sized(facts.bytes),
      branch: facts.branch === null ? say('no branch') : shown(facts.branch),
      age: formatAge(Math.max(0, nowMs - facts.usedMs) / 1000),
      origin: facts.origin === null ? '' : say(', of {name}', { name: facts.origin }),
    }),
    keeps.length === 0
      ? say(free)
      : say('It stays: {why}.', {
          why: listed(
            keeps.map((reason) => sayKeep(reason, facts)),
            '; ',
          ),
        }),
    ...(facts.stashes === 0
      ? []
      : [say('{count} stashes of its branch stay in the repository.', { count: facts.stashes })]),
  );
