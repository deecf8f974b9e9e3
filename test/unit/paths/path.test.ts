import { describe, expect, test } from 'vitest';
import {
  baseName,
  fromGitBash,
  isAbsolutePath,
  isInFolder,
  isWindowsPath,
  plainPath,
  programFile,
  programPath,
  samePath,
} from '../../../app/paths/path.ts';

describe('which paths are of Windows', () => {
  test('drives, hosts and the kernel’s own', () => {
    for (const path of ['C:\\a', 'c:/a', 'C:\\', '\\\\host\\a', '\\\\?\\C:\\a', '\\\\.\\pipe\\x', '\\??\\C:\\a'])
      expect([path, isWindowsPath(path), isAbsolutePath(path)]).toEqual([path, true, true]);
    for (const path of ['/a', '//a/b', 'C:', 'C:a', 'a\\b', '\\a', 'CC:/a', 'c:', 'http://x', ''])
      expect([path, isWindowsPath(path)]).toEqual([path, false]);
  });

  test('paths of Linux stay as they are, with all their letters', () => {
    for (const path of ['/a\\b', 'a\\b.exe', '/usr/bin/Code.EXE', '-bash', 'claude bg-spare'])
      expect([plainPath(path), programPath(path)]).toEqual([path, path]);
    expect(baseName('/x/a\\b')).toBe('a\\b');
    expect(programFile('/usr/bin/Code.EXE')).toBe('Code.EXE');
  });
});

test('a program of Windows is compared by its name in small letters, without .exe', () => {
  expect(programPath('c:\\Program Files\\nodejs\\Node.EXE')).toBe('C:/Program Files/nodejs/node');
  expect(programFile('\\\\?\\C:\\Tools\\Claude.exe')).toBe('claude');
  expect(programFile('C:/Tools/.exe')).toBe('.exe');
  expect(programFile('\\\\?\\UNC\\host\\bin\\x.exe')).toBe('x');
  expect(baseName('C:\\Users\\me\\Setup.msi')).toBe('Setup.msi');
});

test('Git Bash writes drives in a way of its own', () => {
  expect(fromGitBash('/c/Users/me')).toBe('C:/Users/me');
  expect(fromGitBash('/c')).toBe('C:/');
  for (const path of ['/usr/bin/bash', '/cc/x', 'C:/x', 'c/x']) expect(fromGitBash(path)).toBe(path);
});

describe('the same path', () => {
  test('on Windows: case, slashes, prefixes, Git Bash', () => {
    const path = 'C:\\Users\\Me\\shop';
    for (const other of ['c:/users/me/SHOP', '\\\\?\\C:\\Users\\Me\\shop', '/c/Users/Me/shop', 'C:/Users/Me/shop/'])
      expect([other, samePath(path, other), samePath(other, path)]).toEqual([other, true, true]);
    for (const other of ['D:/Users/Me/shop', '/Users/Me/shop', '/d/Users/Me/shop', 'C:/Users/Me/shop2'])
      expect([other, samePath(path, other)]).toEqual([other, false]);
    expect(samePath('\\\\Host\\a', '//host/A')).toBe(true);
    expect(samePath('C:/stra\u00dfe', 'C:/STRASSE')).toBe(false);
  });

  test('elsewhere every letter counts, and /c is a folder', () => {
    expect(samePath('/home/me', '/home/Me')).toBe(false);
    expect(samePath('/c/x', '/C/x')).toBe(false);
    expect(samePath('/a', '/a/')).toBe(false);
  });

  test('what is in a folder', () => {
    expect(isInFolder('C:\\work\\a', 'c:/Work')).toBe(true);
    expect(isInFolder('/c/work/a', 'C:\\work\\')).toBe(true);
    expect(isInFolder('C:\\work', 'C:\\work')).toBe(true);
    expect(isInFolder('C:\\work2', 'C:\\work')).toBe(false);
    expect(isInFolder('C:\\a', 'C:\\')).toBe(true);
    expect(isInFolder('/a/b', '/a')).toBe(true);
    expect(isInFolder('/a', '/a/')).toBe(true);
    expect(isInFolder('/ab', '/a')).toBe(false);
    expect(isInFolder('/A/b', '/a')).toBe(false);
  });
});
