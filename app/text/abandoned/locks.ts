import type { PortLock } from '../../contract/views/port-view.ts';
import { formatAge } from '../../format/age.ts';
import type { Said } from '../../format/said.ts';
import { safeName } from '../../format/secrets/safe-view.ts';
import { visibleText } from '../../format/visible.ts';
import type { FoundLock, LockKind, LockReason, LockVerdict } from '../../locks/lock.ts';
import { type Form, joined, say } from '../form.ts';

/** Names of locks, for users. */
const lockKindNames = {
  git: 'lock of git',
  gc: 'lock of git’s clean-up',
  worktree: 'lock of a worktree',
  'dev-server': 'lock of a development server',
} as const satisfies Readonly<Record<LockKind, Form>>;

/** Names of what is known of a lock. */
const lockStateNames = {
  stale: 'stale',
  held: 'held',
  unknown: 'not known',
} as const satisfies Readonly<Record<LockVerdict['state'], Form>>;

const reasons = {
  'holder-dead': 'the process that it names has ended, and nothing uses it',
  'no-git': 'nothing has it open, and no git is at work there',
  open: 'it is open in {pids}',
  'holder-alive': 'the process that it names runs: {pids}',
  'git-at-work': 'git may be at work there: {pids}',
  'folder-in-use': 'its folder is in use by {pids}',
  'session-open': 'a session in its folder is open',
  'by-hand': 'it names no process: only who set it can say',
  young: 'it is younger than a minute',
  'not-all-seen': 'not every process that may use it can be seen',
  elsewhere: 'another machine may hold it',
  'another-user': 'it is another user’s',
  'no-lock': 'it is no lock of that form',
} as const satisfies Readonly<Record<LockReason, Form>>;

/** What the user can do about a lock that Curfew leaves alone. */
const advice = {
  stale: '`curfew locks --remove` removes it.',
  held: 'Wait until it has ended, or end it.',
  unknown: 'Remove it by hand only where nothing works there.',
} as const satisfies Readonly<Record<LockVerdict['state'], Form>>;

/** Returns process ids in words. */
export const pidsSaid = (pids: readonly number[]): Said =>
  pids.length === 1
    ? say('process {pids}', { pids: String(pids[0]) })
    : say('processes {pids}', { pids: pids.slice(0, 5).join(', ') });

/** Names a lock. */
export const lockSaid = (kind: LockKind): Said => say(lockKindNames[kind]);

/** Says what is proved of a lock: a sentence without a full stop. */
export const sayLockReason = ({ reason, pids }: LockVerdict): Said => ({
  key: reasons[reason],
  figures: { pids: pidsSaid(pids) },
});

/** Says a lock in one sentence, and what to do about it. */
export const sayLock = (lock: FoundLock, verdict: LockVerdict, nowMs: number): Said =>
  joined(
    say('{kind}, {state}, {age} old: {reason}.', {
      kind: say(lockKindNames[lock.kind]),
      state: say(lockStateNames[verdict.state]),
      age: formatAge(Math.max(0, nowMs - lock.changedMs) / 1000),
      reason: sayLockReason(verdict),
    }),
    say(advice[verdict.state]),
  );

/** Says what is known of the lock of a development server beside a port. */
export const sayDevLock = (lock: PortLock): Said => {
  const said = say('lock {path}, {state}: {why}', {
    path: visibleText(lock.path),
    state: say(lockStateNames[lock.state]),
    why: sayLockReason(lock),
  });
  return lock.state === 'stale' ? joined(said, say(advice.stale)) : said;
};

const leftForm = 'It left the lock {path}. `curfew locks --remove` removes it.';

/** What a record says of a lock that its job left. */
export const leftLock = {
  say: (path: string): Said => say(leftForm, { path: visibleText(path) }),
  /** Whether a note of a record says that of this path. */
  isOf: (said: Said, path: string): boolean =>
    typeof said === 'object' && said.key === leftForm && said.figures['path'] === safeName(visibleText(path)),
};

/** What the record says after that lock was removed. */
export const lockRemoved = (path: string): Said =>
  say('The lock {path} was removed by `curfew locks`.', { path: visibleText(path) });

/** Says in one line how many locks are stale. */
export const sayStaleLocks = (count: number): Said =>
  count === 1
    ? say('1 lock is held by nothing that lives. `curfew locks` shows it.')
    : say('{count} locks are held by nothing that lives. `curfew locks` shows them.', { count });
