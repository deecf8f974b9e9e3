import { describe, expect, test } from 'vitest';
import { leadsToOtherMachine } from '../../../main/os/files/other-machine.ts';

const local = (): readonly string[] => ['C:\\Users\\me'];
const roaming = (): readonly string[] => ['\\\\Files\\homes\\me', 'C:\\Users\\me\\AppData\\Local'];

// Windows signs in at a server to look at a path of it: the user's password could be guessed there.
describe('a path of another machine on Windows', () => {
  test.each([
    ['\\\\evil\\share\\.claude'],
    ['//evil/share/node_modules/x/package.json'],
    ['\\\\evil@8080\\share'],
    ['\\\\?\\UNC\\evil\\share'],
    ['//./UNC/evil/share'],
    ['\\\\.\\pipe\\evil'],
    ['\\\\?\\GLOBALROOT\\Device\\Mup\\evil\\share'],
    ['\\/evil/share'],
  ])('%s', (path) => {
    expect(leadsToOtherMachine(path, 'win32', local)).toBe(true);
    expect(leadsToOtherMachine(path, 'win32', roaming)).toBe(true);
  });

  test.each([['C:\\Users\\me\\.claude'], ['\\\\?\\C:\\Users\\me'], ['D:/x'], ['.claude'], ['\\x']])(
    'and not %s',
    (path) => {
      expect(leadsToOtherMachine(path, 'win32', local)).toBe(false);
    },
  );

  test('a server on which the user’s own files lie is none', () => {
    expect(leadsToOtherMachine('//FILES/homes/me/.claude', 'win32', roaming)).toBe(false);
    expect(leadsToOtherMachine('\\\\?\\UNC\\files\\other\\x', 'win32', roaming)).toBe(false);
    expect(leadsToOtherMachine('//FILES/homes/me/.claude', 'win32', local)).toBe(true);
  });

  test('elsewhere there are none', () => {
    for (const system of ['linux', 'darwin'] as const)
      expect(leadsToOtherMachine('//evil/share', system, local)).toBe(false);
    expect(leadsToOtherMachine('/proc/1/root/x', 'darwin', local)).toBe(false);
  });
});

describe('a path of what a sandbox has mounted for itself on Linux', () => {
  test.each([['/proc/4711/root/mnt/.claude'], ['//proc/4711/cwd/x'], ['/tmp/../proc/self/root/x']])('%s', (path) => {
    expect(leadsToOtherMachine(path, 'linux', local)).toBe(true);
  });

  test.each([['/home/me/proc/x'], ['/processes'], ['/proc']])('and not %s', (path) => {
    expect(leadsToOtherMachine(path, 'linux', local)).toBe(false);
  });
});
