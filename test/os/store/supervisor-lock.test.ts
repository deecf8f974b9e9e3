import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreFailure } from '../../../main/store/store-failure.ts';
import { claimSupervisorLock, supervisorOf, type SupervisorHolder } from '../../../main/store/supervisor-lock.ts';
import { emptyFolder, smallDisk, start } from './support.ts';

const self: SupervisorHolder = { pid: process.pid, startTicks: 7, sinceMs: 1_000, what: 'app', mode: null };
const alive = (): boolean => true;
const dead = (): boolean => false;

const claim = (path: string): ReturnType<typeof claimSupervisorLock> => claimSupervisorLock(path, self, alive);

test('of twenty that start at once exactly one becomes the supervisor, and the others hear which', async () => {
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

test('a supervisor that is killed leaves nothing stuck', async () => {
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
  const claimed = claim(path);
  expect(claimed.kind).toBe('held');
  if (claimed.kind === 'held') claimed.lock.release();
});

test('a supervisor that ends well takes its name away and leaves the place free', async () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  const holder = start('lock', path);
  await holder.line();
  expect(statSync(`${path}.json`).mode & 0o777).toBe(0o600);
  holder.child.stdin.end();
  expect(await holder.end).toBe(0);
  expect(existsSync(`${path}.json`)).toBe(false);
  expect(supervisorOf(path, alive)).toBeNull();
});

test('the same process is no exception', () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  const first = claim(path);
  expect(claim(path)).toMatchObject({ kind: 'taken', holder: self });
  if (first.kind === 'held') {
    first.lock.tell('observe');
    expect(supervisorOf(path, alive)).toEqual({ ...self, mode: 'observe' });
    first.lock.release();
    first.lock.release();
  }
  const second = claim(path);
  expect(second.kind).toBe('held');
  if (second.kind === 'held') second.lock.release();
});

test('looking whether there is a supervisor makes none impossible and creates nothing', () => {
  const folder = emptyFolder();
  const path = join(folder, 'none', 'supervisor.lock');
  expect(supervisorOf(path, alive)).toBeNull();
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

test('who stands in the file but no longer lives is not named', () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  const first = claim(path);
  expect(supervisorOf(path, dead)).toBe('unknown');
  expect(claimSupervisorLock(path, self, dead)).toEqual({ kind: 'taken', holder: null });
  writeFileSync(`${path}.json`, '{"pid":"someone"}');
  expect(supervisorOf(path, alive)).toBe('unknown');
  if (first.kind === 'held') first.lock.release();
});

test('something that was written into the lock’s file keeps nobody out, and nobody gets in twice by it', async () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  writeFileSync(path, 'not a lock at all\n'.repeat(100));
  const starters = Array.from({ length: 8 }, () => start('lock', path));
  const said = await Promise.all(starters.map((starter) => starter.line()));
  expect(said.filter((line) => line === 'held')).toHaveLength(1);
});

test('a supervisor whose file somebody removed learns that it is no longer the only one', () => {
  const path = join(emptyFolder(), 'supervisor.lock');
  const first = claim(path);
  if (first.kind !== 'held') throw new Error('not held');
  expect(first.lock.stillHeld()).toBe(true);
  rmSync(path);
  expect(first.lock.stillHeld()).toBe(false);
  const second = claim(path);
  expect(second.kind).toBe('held');
  expect(first.lock.stillHeld()).toBe(false);
  first.lock.release();
  if (second.kind === 'held') second.lock.release();
});

test('where no lock can be made none is claimed to be held', () => {
  const disk = smallDisk(100_000);
  disk.makeReadOnly();
  expect(() => claim(join(disk.folder, 'supervisor.lock'))).toThrow(StoreFailure);
  const folder = emptyFolder();
  mkdirSync(join(folder, 'supervisor.lock'));
  expect(() => claim(join(folder, 'supervisor.lock'))).toThrow(/only one supervisor/);
});
