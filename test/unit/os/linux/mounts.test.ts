import { expect, test } from 'vitest';
import { mountsIn } from '../../../../main/os/linux/probe/process-uses.ts';

test('a mount on which the user of a process is another one on the disk is told by its options', () => {
  // Kernel 6.18, a folder of user 1000 as a container of user 101000 sees it.
  const text = [
    '25 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard',
    '111 25 254:0 /home/me/my\\040shop /work rw,relatime,idmapped - ext4 /dev/vda rw,discard',
    '112 25 254:0 /idmapped /x rw,nosuid shared:4 - ext4 /dev/vda rw,idmapped',
  ].join('\n');
  expect(mountsIn(text)).toEqual([
    { point: '/x', root: '254:0:/idmapped', isIdmapped: false },
    { point: '/work', root: '254:0:/home/me/my shop', isIdmapped: true },
    { point: '/', root: '254:0:/', isIdmapped: false },
  ]);
});
