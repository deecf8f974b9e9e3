import { expect, test } from 'vitest';
import { isOwnTemporaryMount } from '../../../../main/os/linux/proc/unseen-users.ts';

const root = '30 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw';
const table = (...lines: readonly string[]): string => [root, ...lines, ''].join('\n');

test.each<[string, string, boolean]>([
  ['a tmpfs of its own', table('40 30 0:50 / /tmp rw - tmpfs none rw'), true],
  ['a part of the root', table(), false],
  ['a tmpfs that is handed on', table('40 30 0:50 / /tmp rw shared:7 - tmpfs none rw'), false],
  ['a tmpfs that came from outside', table('40 30 0:50 / /tmp rw master:7 - tmpfs none rw'), false],
  ['a folder of a tmpfs', table('40 30 0:50 /sub /tmp rw - tmpfs none rw'), false],
  ['a disk', table('40 30 8:2 / /tmp rw - ext4 /dev/sdb rw'), false],
  [
    'another mount over it',
    table('40 30 0:50 / /tmp rw - tmpfs none rw', '41 40 8:2 / /tmp rw - ext4 /dev/sdb rw'),
    false,
  ],
  ['only a neighbour', table('40 30 0:50 / /tmpfiles rw - tmpfs none rw'), false],
  ['nothing that can be read', 'nonsense', false],
])('%s', (_, mountinfo, own) => {
  expect(isOwnTemporaryMount(mountinfo, '/tmp')).toBe(own);
  expect(isOwnTemporaryMount(mountinfo, '/tmp/cc-socks')).toBe(own);
});

test('names with blanks are distinguished', () => {
  const mountinfo = table(String.raw`40 30 0:50 / /tmp\040dir rw - tmpfs none rw`);
  expect(isOwnTemporaryMount(mountinfo, '/tmp dir/x')).toBe(true);
  expect(isOwnTemporaryMount(mountinfo, '/tmp')).toBe(false);
});
