import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { StoreFailure } from '../../../main/store/database/store-failure.ts';
import {
  claimSupervisorLock,
  supervisorOf,
  type SupervisorClaim,
  type SupervisorHolder,
  type SupervisorLock,
} from '../../../main/store/supervisor-lock.ts';
import { emptyFolder, smallDisk, start } from './support.ts';

const self: SupervisorHolder = { pid: process.pid, startTicks: 7, sinceMs: 1_000, what: 'app', mode: null };
const alive = (): boolean => true;
const dead = (): boolean => false;

const claim = (path: string): SupervisorClaim => claimSupervisorLock(path, self, alive);

/** The lock, which must be free; released with the test at the latest. */
const hold = (path: string): SupervisorLock => {
  const claimed = claim(path);
  if (claimed.kind !== 'held') throw new Error('the lock is taken');
  onTestFinished(claimed.lock.release);
  return claimed.lock;
};

test('of twenty that start at once exactly one becomes the supervisor, and the others learn which', async () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  const starters = Array.from({ length: 20 }, () => start('lock', path));
  const said = await Promise.all(starters.map((starter) => starter.line()));
  const holders = starters.filter((_, index) => said[index] === 'held');
  expect(holders).toHaveLength(1);
  const pid = holders[0]?.child.pid;
  for (const line of said.filter((one) => one !== 'held')) {
    expect(line.startsWith('taken ')).toBe(true);
    expect(JSON.parse(line.slice('taken '.length))).toMatchObject({ pid, what: 'watch', mode: 'enforce' });
  }
});

test('a lock in whose place a database was put is taken by one, and a look finds it taken', async () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  // With a write-ahead log readers and a writer don't wait for each other.
  const put = new DatabaseSync(path);
  put.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)');
  put.close();
  const holder = start('lock', path);
  expect(await holder.line()).toBe('held');
  expect(supervisorOf(path, alive)).toMatchObject({ pid: holder.child.pid });
  expect(claim(path)).toMatchObject({ kind: 'taken', holder: { pid: holder.child.pid } });
  holder.child.stdin.end();
  await holder.end;
});

test('a killed supervisor leaves nothing locked', async () => {
  const path = join(emptyFolder(), 'home', 'supervisor.lock');
  for (let round = 0; round < 3; round += 1) {
    const holder = start('lock', path);
    expect(await holder.line()).toBe('held');
    expect(claim(path)).toMatchObject({ kind: 'taken', holder: { pid: holder.child.pid } });
    expect(supervisorOf(path, alive)).toMatchObject({ pid: holder.child.pid });
    holder.child.kill('SIGKILL');
    await holder.end;
    expect(supervisorOf(path, alive)).toBeNull();
  }
  expect(hold(path).stillHeld()).toBe(true);
});

test('a supervisor that ends cleanly removes its name and frees the lock', async () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  const holder = start('lock', path);
  await holder.line();
  expect(statSync(`${path}.json`).mode & 0o777).toBe(0o600);
  holder.child.stdin.end();
  expect(await holder.end).toBe(0);
  expect(existsSync(`${path}.json`)).toBe(false);
  expect(supervisorOf(path, alive)).toBeNull();
});

test('the same process can’t take it twice', () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  const first = hold(path);
  expect(claim(path)).toMatchObject({ kind: 'taken', holder: self });
  first.tell('observe');
  expect(supervisorOf(path, alive)).toEqual({ ...self, mode: 'observe' });
  first.release();
  first.release();
  const second = hold(path);
  // A late release of the first one: the second one's name stays.
  first.release();
  expect(supervisorOf(path, alive)).toEqual(self);
  second.release();
});

test('a check for a supervisor neither blocks one nor creates a file', () => {
  const folder = emptyFolder();
  const path = join(folder, 'none', 'supervisor.lock');
  expect(supervisorOf(path, alive)).toBeNull();
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

test('a dead process in the file is not named', () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  hold(path);
  expect(supervisorOf(path, dead)).toBe('unknown');
  expect(claimSupervisorLock(path, self, dead)).toEqual({ kind: 'taken', holder: null });
  writeFileSync(`${path}.json`, '{"pid":"someone"}');
  expect(supervisorOf(path, alive)).toBe('unknown');
});

test('foreign content in the lock’s file keeps no supervisor out, and lets none in twice', async () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  writeFileSync(path, 'not a lock at all\n'.repeat(100));
  const starters = Array.from({ length: 8 }, () => start('lock', path));
  const said = await Promise.all(starters.map((starter) => starter.line()));
  expect(said.filter((line) => line === 'held')).toHaveLength(1);
});

test('a supervisor whose file was removed learns that it is no longer the only one', () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  const first = hold(path);
  expect(first.stillHeld()).toBe(true);
  rmSync(path);
  expect(first.stillHeld()).toBe(false);
  const second = hold(path);
  expect([first.stillHeld(), second.stillHeld()]).toEqual([false, true]);
  first.release();
  expect(supervisorOf(path, alive)).toEqual(self);
});

test('if no lock can be made none is claimed', () => {
  const disk = smallDisk(100_000);
  disk.makeReadOnly();
  expect(() => claim(join(disk.folder, 'supervisor.lock'))).toThrow(StoreFailure);
  const folder = emptyFolder();
  mkdirSync(join(folder, 'supervisor.lock'));
  expect(() => claim(join(folder, 'supervisor.lock'))).toThrow(/only one supervisor/);
});
