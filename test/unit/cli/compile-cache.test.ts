import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const program = join(import.meta.dirname, '../../../main/cli/index.ts');

let folder = '';
let home = '';
let cache = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-cache-'));
  home = join(folder, 'home');
  cache = join(home, 'compile-cache');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** `curfew --version`, which looks at no process. */
const start = (variables: Readonly<Record<string, string>> = {}): void => {
  const { NODE_COMPILE_CACHE: _own, NODE_DISABLE_COMPILE_CACHE: _off, ...environment } = process.env;
  const said = execFileSync(process.execPath, [program, '--version'], {
    env: { ...environment, ...variables, CURFEW_HOME: home },
    encoding: 'utf8',
  });
  expect(said).toMatch(/^\d+\.\d+\.\d+\n$/u);
};

test('compiled code is kept in a state folder that is there', () => {
  mkdirSync(home, { mode: 0o700 });
  start();
  const [build = '', ...others] = readdirSync(cache);
  expect(others).toEqual([]);
  const kept = readdirSync(join(cache, build), { recursive: true });
  expect(kept.length).toBeGreaterThan(1);
  start();
  expect(readdirSync(cache)).toEqual([build]);
});

test.each([
  ['NODE_COMPILE_CACHE', 'own'],
  ['NODE_DISABLE_COMPILE_CACHE', '1'],
])('where %s is set nothing is kept in the state folder', (variable, value) => {
  mkdirSync(home, { mode: 0o700 });
  start({ [variable]: variable === 'NODE_COMPILE_CACHE' ? join(folder, value) : value });
  expect(readdirSync(home)).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'in the user’s own cache each build has a folder, and none where others may write',
  () => {
    const own = join(folder, 'own');
    start({ NODE_COMPILE_CACHE: own });
    const [version = ''] = readdirSync(own);
    const ours = join(own, version, 'compile-cache');
    expect(readdirSync(ours)).toHaveLength(1);
    rmSync(ours, { recursive: true });
    chmodSync(join(own, version), 0o777);
    start({ NODE_COMPILE_CACHE: own });
    expect(existsSync(ours)).toBe(false);
  },
);

test('a start makes no state folder', () => {
  start();
  expect(existsSync(home)).toBe(false);
});

test.skipIf(process.platform === 'win32')('a folder that others may write to is not trusted with code', () => {
  mkdirSync(home);
  chmodSync(home, 0o770);
  start();
  expect(readdirSync(home)).toEqual([]);
});

test('the code of the oldest builds goes when another build starts', () => {
  const before = ['mi000001', 'mi000002', 'mi000003', 'mi000004'];
  // Not of a build.
  mkdirSync(join(cache, 'mine'), { recursive: true, mode: 0o700 });
  utimesSync(join(cache, 'mine'), 0, 0);
  for (const name of before) mkdirSync(join(cache, name), { recursive: true, mode: 0o700 });
  for (const [at, name] of before.entries()) utimesSync(join(cache, name), at, at);
  chmodSync(home, 0o700);
  start();
  const left = readdirSync(cache);
  expect(left).toHaveLength(4);
  expect(left).toEqual(expect.arrayContaining(['mine', 'mi000003', 'mi000004']));
});
