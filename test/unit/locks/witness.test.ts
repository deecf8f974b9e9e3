import { expect, test } from 'vitest';
import type { LockFile } from '../../../main/locks/find-locks.ts';
import { lockWorld, type Witness } from '../../../main/locks/witness.ts';

test('the folders of a repository are asked for once for all of its locks', () => {
  const asked: string[] = [];
  const witness: Witness = {
    look: { table: { rows: new Map(), uid: 0, complete: true, takenAtMs: 0 } as never, sessions: [] },
    pidNamespace: null,
    putForwardMs: () => 0,
    all: { uses: [], placeOf: (path: string) => (asked.push(path), null) },
  };
  const roots = ['/nowhere/shop', '/nowhere/tree'];
  for (const name of ['a', 'b', 'c']) {
    const lock = { kind: 'git', path: `/nowhere/shop/.git/refs/${name}.lock`, folder: '/nowhere/shop' };
    const found = { lock, roots } as unknown as LockFile;
    expect(lockWorld(found, witness, false).gits).toBeNull();
  }
  expect(asked.filter((path) => path === '/nowhere/tree')).toHaveLength(1);
});
