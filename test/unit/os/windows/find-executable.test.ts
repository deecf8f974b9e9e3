import { expect, test } from 'vitest';
import { findExecutable } from '../../../../main/os/windows/start/job-launcher.ts';

const around = (files: readonly string[], environment: Record<string, string> = {}) => ({
  environment: { Path: String.raw`C:\one;"C:\two words";relative;;C:\three`, ...environment },
  folder: String.raw`C:\work`,
  isFile: (path: string) => files.includes(path),
});

test.each([
  ['npm', [String.raw`C:\one\npm.cmd`], { kind: 'batch', file: String.raw`C:\one\npm.cmd` }],
  ['tool', [String.raw`C:\two words\tool.exe`], { kind: 'program', file: String.raw`C:\two words\tool.exe` }],
  ['tool.exe', [String.raw`C:\three\tool.exe`], { kind: 'program', file: String.raw`C:\three\tool.exe` }],
  ['tool.v2', [String.raw`C:\one\tool.v2.exe`], { kind: 'program', file: String.raw`C:\one\tool.v2.exe` }],
  // The order of PATHEXT within a folder, and folders before endings.
  ['x', [String.raw`C:\one\x.cmd`, String.raw`C:\one\x.exe`], { kind: 'program', file: String.raw`C:\one\x.exe` }],
  ['x', [String.raw`C:\one\x.cmd`, String.raw`C:\three\x.exe`], { kind: 'batch', file: String.raw`C:\one\x.cmd` }],
  [String.raw`.\x`, [String.raw`C:\work\x.exe`], { kind: 'program', file: String.raw`C:\work\x.exe` }],
  ['sub/x.EXE', [String.raw`C:\work\sub\x.EXE`], { kind: 'program', file: String.raw`C:\work\sub\x.EXE` }],
  [String.raw`D:\x.bat`, [String.raw`D:\x.bat`], { kind: 'batch', file: String.raw`D:\x.bat` }],
])('%s is found', (name, files, found) => {
  expect(findExecutable(name, around(files))).toEqual(found);
});

test.each([
  ['a file of the current folder, by its name alone', 'x', [String.raw`C:\work\x.exe`], 'ENOENT'],
  ['a file of a relative folder of PATH', 'x', [String.raw`C:\work\relative\x.exe`], 'ENOENT'],
  ['nothing', '', [], 'ENOENT'],
  ['a script of PowerShell', 'x.ps1', [String.raw`C:\one\x.ps1`], 'EACCES'],
  ['a file without an ending', 'x', [String.raw`C:\one\x`], 'EACCES'],
])('%s is not started', (_what, name, files, errno) => {
  expect(findExecutable(name, around(files))).toEqual({ kind: 'none', errno });
});

test('of PATHEXT count the endings that can be started', () => {
  const files = [String.raw`C:\one\x.js`, String.raw`C:\one\x.bat`];
  expect(findExecutable('x', around(files, { PATHEXT: '.JS;.BAT' }))).toEqual({
    kind: 'batch',
    file: String.raw`C:\one\x.bat`,
  });
});
