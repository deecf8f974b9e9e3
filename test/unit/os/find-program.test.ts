import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram } from '../../../main/os/programs/find-program.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-find-'));
  for (const [name, mode] of [
    ['one/node', 0o755],
    ['two/node.exe', 0o755],
  ] as const) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), '', { mode });
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const path = (...folders: readonly string[]): string => folders.map((one) => join(root, one)).join(delimiter);

test('the first file of that name, and on Windows the one that can be run', () => {
  expect(findProgram('node', path('two', 'one'), 'linux')).toEqual({ file: join(root, 'one/node') });
  expect(findProgram('node', path('two', 'one'), 'win32')).toEqual({ file: join(root, 'two/node.exe') });
  expect(findProgram('node', path('two'), 'linux')).toEqual({ errno: 'ENOENT' });
});

test('a path is taken as it stands', () => {
  expect(findProgram('a/b', undefined, 'linux')).toEqual({ file: 'a/b' });
  expect(findProgram('C:\\a\\b', path('one'), 'win32')).toEqual({ file: 'C:\\a\\b' });
  expect(findProgram('C:\\a', path('one'), 'linux')).toEqual({ errno: 'ENOENT' });
});
