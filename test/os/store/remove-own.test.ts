import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownFolders, removeOwn } from '../../../main/store/remove-own.ts';
import { isRootOfMachine } from '../machine-facts.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-remove-own-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const removedFrom = (path: string): readonly string[] => {
  const folders = ownFolders({ state: path, settings: join(path, 'settings.json'), logs: join(path, 'logs') });
  expect(removeOwn(folders)).toEqual([]);
  return folders.flatMap(({ foreign }) => foreign);
};

const written = (folder: string, name: string): string => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), 'mine');
  return join(folder, name);
};

test('in a folder in which nothing has a name that only Curfew gives, nothing goes', () => {
  const mine = written(join(root, 'project/app'), 'mine');
  expect(removedFrom(join(root, 'project'))).toEqual([join(root, 'project/app')]);
  expect(readFileSync(mine, 'utf8')).toBe('mine');
});

test.skipIf(!isRootOfMachine)('what is mounted in a folder of Curfew stays (SKIPPED but as root of a machine)', () => {
  const mine = written(join(root, 'elsewhere'), 'mine');
  const runs = join(root, 'curfew/runs');
  mkdirSync(join(runs, 'one'), { recursive: true });
  written(join(root, 'curfew'), 'ledger.db');
  expect(spawnSync('mount', ['--bind', join(root, 'elsewhere'), join(runs, 'one')]).status).toBe(0);
  try {
    expect(removedFrom(join(root, 'curfew'))).toEqual([runs]);
    expect(readFileSync(mine, 'utf8')).toBe('mine');
  } finally {
    spawnSync('umount', [join(runs, 'one')]);
  }
});
