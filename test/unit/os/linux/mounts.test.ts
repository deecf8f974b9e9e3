import { expect, test } from 'vitest';
import { mountedElsewhere, mountsIn } from '../../../../main/os/linux/probe/process-uses.ts';

test('a process on another file system has what is mounted there and written', () => {
  const own = mountsIn('25 1 254:0 / / rw - ext4 /dev/vda rw');
  const inside = mountsIn(
    [
      '88 65 0:40 / / rw,relatime - overlay x rw',
      '89 88 254:0 /home/me/shop /work rw,relatime - ext4 /dev/vda rw',
      '91 88 254:0 /home/me /me rw,relatime - ext4 /dev/vda rw',
      '92 88 254:0 /home /home rw,relatime - ext4 /dev/vda rw',
      '90 88 254:0 / /host ro,relatime - ext4 /dev/vda rw',
    ].join('\n'),
  );
  expect(mountedElsewhere(inside, own, '/home/me')).toEqual(['254:0:/home/me', '254:0:/home/me/shop', '0:40:/']);
  expect(mountedElsewhere(own, own, '/home/me')).toEqual([]);
});

test('a mount on which the user of a process is another one on the disk is told by its options', () => {
  // Kernel 6.18, a folder of user 1000 as a container of user 101000 sees it.
  const text = [
    '25 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard',
    '111 25 254:0 /home/me/my\\040shop /work rw,relatime,idmapped - ext4 /dev/vda rw,discard',
    '112 25 254:0 /idmapped /x rw,nosuid shared:4 - ext4 /dev/vda rw,idmapped',
    '113 25 0:40 / /o rw - overlay x rw,lowerdir=/a\\040b:/c,upperdir=/d,workdir=/e',
  ].join('\n');
  expect(mountsIn(text)).toEqual([
    { point: '/o', root: '0:40:/', layers: ['/a b', '/c', '/d'], isIdmapped: false, isWritten: true },
    { point: '/x', root: '254:0:/idmapped', layers: [], isIdmapped: false, isWritten: true },
    { point: '/work', root: '254:0:/home/me/my shop', layers: [], isIdmapped: true, isWritten: true },
    { point: '/', root: '254:0:/', layers: [], isIdmapped: false, isWritten: true },
  ]);
});
