import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { notFromHere } from '../../../main/os/programs/child-window.ts';

test.each([
  ['ssh', 'win32', { cwd: dirname(process.execPath) }],
  [String.raw`C:\Windows\System32\schtasks.exe`, 'win32', {}],
  ['C:/Windows/System32/schtasks.exe', 'win32', {}],
  ['ssh', 'linux', {}],
  ['ssh', 'darwin', {}],
] as const)('a program named %s on %s is not looked for in the current folder', (file, platform, options) => {
  expect(notFromHere(file, platform)).toEqual(options);
});
