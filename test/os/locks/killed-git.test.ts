import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeLock } from '../../../app/locks/judge-lock.ts';
import type { LockVerdict } from '../../../app/locks/lock.ts';
import { type LockFile, locksOf } from '../../../main/locks/find-locks.ts';
import { lockWorld, witnessOf } from '../../../main/locks/witness.ts';
import type { Look } from '../../../main/observing/look.ts';
import { repositoryAt } from '../../../main/repositories/repository.ts';
import { removeFile } from '../../../main/os/files/remove-file.ts';
import { hasProgram } from '../../needs.ts';
import { ownTable } from './own-table.ts';

/** All calls take ten minutes (`npm run test:killed-git`), so `npm test` plays a few of them. */
const isWhole = process.env['CURFEW_TEST_EVERY_CALL'] !== undefined;
/** That namespace sees all processes: the one of this test stands for it. */
const seesAll = '4026531836';
const skipped = hasProgram('strace') && hasProgram('git') ? '' : ' (SKIPPED: strace or git is not here)';

const folder = mkdtempSync(join(tmpdir(), 'curfew-killed-git-'));
const uid = process.getuid?.() ?? 0;
const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  GIT_EDITOR: 'true',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};
const base = join(folder, 'base');
const repository = join(folder, 'repository');

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const commit = (name: string): void => {
  writeFileSync(join(base, name), `${name}\n`);
  git(base, 'add', name);
  git(base, 'commit', '-q', '-m', name);
};

beforeAll(() => {
  if (skipped !== '') return;
  execFileSync('git', ['init', '-q', '-b', 'main', base], { env });
  commit('one');
  git(base, 'checkout', '-q', '-b', 'side');
  commit('two');
  commit('three');
  git(base, 'checkout', '-q', 'main');
  commit('four');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const operations = {
  commit: ['commit', '-q', '-a', '-m', 'changed'],
  rebase: ['rebase', '-q', 'main', 'side'],
  gc: ['-c', 'gc.auto=1', 'gc', '--quiet', '--prune=now'],
} as const;

/** A rebase and a clean-up have a thousand calls each. */
const steps = isWhole ? { commit: 1, rebase: 1, gc: 1 } : { commit: 29, rebase: 307, gc: 307 };
const played = ['commit', 'rebase', 'gc'] as const;

const prepare = (): void => {
  rmSync(repository, { recursive: true, force: true });
  cpSync(base, repository, { recursive: true, preserveTimestamps: true });
};

const traced = (operation: keyof typeof operations, signal: string, call: number): ChildProcess => {
  if (operation === 'commit') writeFileSync(join(repository, 'one'), 'changed\n');
  const inject = ['-qq', '-f', '-o', '/dev/null', '-e', `inject=all:signal=${signal}:when=${call}`];
  return spawn('strace', [...inject, 'git', ...operations[operation]], { cwd: repository, env, stdio: 'ignore' });
};

const judged = (): readonly { readonly found: LockFile; readonly verdict: LockVerdict }[] => {
  const at = repositoryAt(repository, uid);
  if (at === null) throw new Error('there is no repository');
  const look = { table: ownTable(), sessions: [], jobs: new Map(), tookMs: 0 } as Look;
  const witness = witnessOf(look, seesAll);
  return locksOf(at, uid).map((found) => ({ found, verdict: judgeLock(found.lock, lockWorld(found, witness, true)) }));
};

const gits = (): readonly { readonly pid: number; readonly state: string }[] =>
  [...ownTable().rows.values()].filter(({ comm, state }) => comm.startsWith('git') && state !== 'Z' && state !== 'X');

/** Locks that were said to be stale while a git lived, before and after. */
const staleBeside = (): readonly string[] => {
  if (gits().length === 0) return [];
  const stale = judged().filter(({ verdict }) => verdict.state === 'stale');
  return gits().length === 0 ? [] : stale.map(({ found }) => found.lock.path);
};

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 6000; turn += 1) {
    if (isSo()) return;
    await sleep(10);
  }
  throw new Error(`waited in vain: ${what}`);
};

describe.skipIf(skipped !== '')(`git that is killed at any of its system calls${skipped}`, () => {
  for (const operation of played) {
    const step = steps[operation];
    test(`${operation}: what it leaves locked is stale once no git lives, and is free after that`, async () => {
      let left = 0;
      for (let call = 1; ; call += step) {
        prepare();
        const run = traced(operation, 'KILL', call);
        await once(run, 'exit');
        // What a killed git had started goes on: while it lives, nothing is stale.
        expect(staleBeside()).toEqual([]);
        await until('no git lives', () => gits().length === 0);
        const locks = judged();
        left += locks.length;
        for (const { found, verdict } of locks) {
          const { path } = found.lock;
          expect({ call, path, ...verdict }).toMatchObject({ state: 'stale' });
          expect(removeFile(found.file, uid).kind).toBe('deleted');
        }
        git(repository, 'commit', '-q', '--allow-empty', '-m', 'after');
        git(repository, 'pack-refs', '--all');
        git(repository, 'fsck', '--connectivity-only');
        if (run.exitCode === 0) break;
      }
      // At the few calls of a sample there may be none.
      expect(left).toBeGreaterThan(isWhole || operation === 'commit' ? 0 : -1);
    });

    test(`${operation}: no lock of it is stale while it lives${skipped}`, async () => {
      let seen = 0;
      for (let call = 1; ; call += step) {
        prepare();
        const run = traced(operation, 'STOP', call);
        const isOver = (): boolean => run.exitCode !== null || run.signalCode !== null;
        await until('it stops or ends', () => isOver() || gits().some(({ state }) => state === 'T' || state === 't'));
        if (isOver()) break;
        for (const { found, verdict } of judged()) {
          if (verdict.state === 'held') seen += 1;
          expect({ call, path: found.lock.path, ...verdict }).not.toMatchObject({ state: 'stale' });
        }
        const ended = once(run, 'exit');
        run.kill('SIGKILL');
        await ended;
        // One that was stopped while it started another leaves that, too.
        await until('no git lives', () => {
          for (const { pid } of gits()) spawnSync('kill', ['-KILL', String(pid)]);
          return gits().length === 0;
        });
      }
      expect(seen).toBeGreaterThan(isWhole || operation === 'commit' ? 0 : -1);
    });
  }
});
