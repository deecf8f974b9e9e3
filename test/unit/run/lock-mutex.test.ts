import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mutexFor } from '../../../main/run/record/lock.ts';
import { keepsModes } from '../../needs.ts';

const uid = process.getuid?.() ?? 0;
const isRoot = uid === 0;
let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'curfew-mutex-'));
});
afterEach(() => rmSync(base, { recursive: true }));

const folder = (at = 0): string => join(base, `curfew-locks-${uid}${at === 0 ? '' : `-${at}`}`);
const take = (waitMs = 0) => mutexFor('/home/me/lock', [base], waitMs);
const held = /is being taken over by another Curfew/u;

/** Makes folders that are not this user's own, in each way that this user can. */
const notOwn: Readonly<Record<string, (path: string) => void>> = {
  'others may write': (path) => {
    mkdirSync(path);
    chmodSync(path, 0o777);
  },
  'is a link': (path) => {
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), path);
  },
  ...(isRoot
    ? {
        'belongs to another user': (path) => {
          mkdirSync(path, { mode: 0o700 });
          chownSync(path, 12_345, 12_345);
        },
      }
    : {}),
};

describe.skipIf(!keepsModes())('the mutex of a lock', () => {
  test('is held by one at a time, and lies in a folder of this user alone', () => {
    const first = take();
    expect(() => take()).toThrow(held);
    first.release();
    take().release();
    expect(readdirSync(base)).toEqual([`curfew-locks-${uid}`]);
  });

  test.each(Object.keys(notOwn))('is taken under another name where the folder %s, and held there', (way) => {
    notOwn[way]?.(folder());
    const first = take();
    expect(readdirSync(folder())).toEqual([]);
    expect(readdirSync(folder(1))).not.toEqual([]);
    expect(() => take()).toThrow(held);
    first.release();
    take().release();
  });

  test('that was taken under a further name is held for one that finds the first name free again', () => {
    notOwn['others may write']?.(folder());
    const first = take();
    renameSync(folder(), join(base, 'gone'));
    expect(() => take()).toThrow(held);
    first.release();
    const second = take();
    expect(() => take()).toThrow(held);
    second.release();
  });

  test('that no folder can hold is an error that names the folder', () => {
    expect(() => mutexFor('/home/me/lock', [join(base, 'missing')], 0)).toThrow(`curfew-locks-${uid} belongs to`);
  });
});
