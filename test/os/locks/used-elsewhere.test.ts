import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderUsers, witnessOf } from '../../../main/locks/witness.ts';
import { isRootOfMachine } from '../machine-facts.ts';
import { ownTable } from './own-table.ts';

/** That namespace sees all processes: the one of this test stands for it. */
const seesAll = '4026531836';

describe.skipIf(!isRootOfMachine)('a process uses a folder (SKIPPED but as root of a machine)', () => {
  test.each([
    [
      'in an overlay over it',
      'mkdir up work on && mount -t overlay x -o lowerdir=$1,upperdir=up,workdir=work on && cd on',
    ],
    ['in it, where something is mounted over that', 'cd $1 && mount -t tmpfs x $2'],
    ['by its input, from another root', 'mkdir usr o && mount --rbind /usr usr && ln -s usr/lib* . && pivot_root . o'],
  ])('%s', async (where, how) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-used-')));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const [tree, over] = [join(root, 'tree'), join(root, 'over')];
    for (const folder of [tree, over]) mkdirSync(folder);
    writeFileSync(join(tree, 'one'), '');
    const users = (): readonly number[] | null =>
      folderUsers(tree, witnessOf({ table: ownTable(), sessions: [] }, seesAll));
    const mounting = `mount -t tmpfs x ${over} && cd ${over} && ${how} && echo on && exec /usr/bin/sleep 600`;
    const script = mounting.replaceAll('$1', tree).replaceAll('$2', root);
    const input = where.includes('input') ? openSync(join(tree, 'one'), 'r') : 'ignore';
    const child = spawn('unshare', ['--mount', 'sh', '-c', script], { stdio: [input, 'pipe', 'inherit'] });
    if (input !== 'ignore') closeSync(input);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    try {
      expect(String(await new Promise((resolve) => child.stdout?.once('data', resolve)))).toBe('on\n');
      expect(users()).toEqual([child.pid]);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    expect(users()).toEqual([]);
  });
});
