import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { folderIn, holderOfGc, isLockName, pidInReason } from '../../../app/locks/git-folder.ts';
import { judgeLock } from '../../../app/locks/judge-lock.ts';
import { type FoundLock, lockKinds, type LockWorld, type NamedHolder } from '../../../app/locks/lock.ts';

const lock: FoundLock = {
  kind: 'git',
  path: '/shop/.git/index.lock',
  folder: '/shop',
  type: 'file',
  ownedByUser: true,
  names: 1,
  bytes: 0,
  changedMs: 0,
  holder: { named: 'none' },
};

const quiet: LockWorld = {
  nowMs: 3_600_000,
  host: 'here',
  allSeen: true,
  localDisk: true,
  openBy: [],
  gits: [],
  users: [],
  openSession: false,
  stateOf: () => 'dead',
  leftByReaping: false,
};

describe('a lock', () => {
  test('is stale only where all that could hold it was seen, and none does', () => {
    expect(judgeLock(lock, quiet)).toEqual({ state: 'stale', reason: 'no-git', pids: [] });
    const keeping: readonly (readonly [Partial<LockWorld>, string])[] = [
      [{ allSeen: false }, 'not-all-seen'],
      [{ localDisk: false }, 'elsewhere'],
      [{ openBy: null }, 'not-all-seen'],
      [{ openBy: [7] }, 'open'],
      [{ gits: null }, 'not-all-seen'],
      [{ gits: [7] }, 'git-at-work'],
      [{ nowMs: 59_999 }, 'young'],
      [{ nowMs: -1 }, 'young'],
    ];
    for (const [world, reason] of keeping) {
      const verdict = judgeLock(lock, { ...quiet, ...world });
      expect({ ...verdict, world }).toMatchObject({ reason });
      expect(verdict.state).not.toBe('stale');
    }
    for (const odd of [{ type: 'link' }, { names: 2 }, { ownedByUser: false }] as const)
      expect(judgeLock({ ...lock, ...odd }, quiet).state).toBe('unknown');
  });

  test('that Curfew’s own kill left needs no age', () => {
    expect(judgeLock(lock, { ...quiet, nowMs: 1, leftByReaping: true }).state).toBe('stale');
  });

  test('is never stale while its holder lives, in any world', () => {
    const holder: fc.Arbitrary<NamedHolder> = fc.oneof(
      fc.constant({ named: 'none' } as const),
      fc.constant({ named: 'words', words: 'mine' } as const),
      fc.record({
        named: fc.constant('process' as const),
        pid: fc.constant(9),
        host: fc.constantFrom('here', 'there', null),
      }),
    );
    const some = fc.constantFrom<readonly number[] | null>(null, [], [9]);
    fc.assert(
      fc.property(
        fc.record({ kind: fc.constantFrom(...lockKinds), holder }),
        fc.record({
          allSeen: fc.boolean(),
          localDisk: fc.boolean(),
          openBy: some,
          gits: some,
          users: some,
          openSession: fc.boolean(),
          leftByReaping: fc.boolean(),
        }),
        (of, world) => {
          const verdict = judgeLock({ ...lock, ...of }, { ...quiet, ...world, stateOf: () => 'alive' });
          const isHeldBy = of.holder.named !== 'none' || of.kind !== 'git';
          expect(
            verdict.state === 'stale' && (isHeldBy || world.openBy?.length !== 0 || world.gits?.length !== 0),
          ).toBe(false);
        },
      ),
    );
  });
});

test('reasons of locked worktrees name a process only at their end', () => {
  expect(pidInReason('claude agent agent-a1761c25a0d171d29 (pid 197259)\n')).toBe(197_259);
  expect(pidInReason('claude session x (pid 22302, since 12)')).toBe(22_302);
  for (const words of ['', 'mine', 'pid 12', '(pid 12) keep', '(pid 0)', '(pid 12 (x))'])
    expect(pidInReason(words)).toBeNull();
});

test('names of locks, and what files of git name', () => {
  expect(['index.lock', 'gc.pid', 'gc.pid.lock', 'HEAD', 'lock', 'tmp_obj_1'].filter(isLockName)).toEqual([
    'index.lock',
    'gc.pid',
    'gc.pid.lock',
  ]);
  expect(folderIn('gitdir: ../.git/worktrees/x\n')).toBe('../.git/worktrees/x');
  expect(folderIn('')).toBeNull();
  expect(holderOfGc('12 here')).toEqual({ pid: 12, host: 'here' });
  expect(holderOfGc('x here')).toBeNull();
});
