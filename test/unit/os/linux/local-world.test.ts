import { expect, test } from 'vitest';
import { ProcReader } from '../../../../main/os/linux/proc/proc-reader.ts';
import { LocalWorld } from '../../../../main/os/linux/sockets/local-world.ts';

test('the kernel’s tables are opened at the first question about a local socket, and not before', () => {
  let opened = 0;
  const world = new LocalWorld(
    new ProcReader(),
    () => [],
    () => {
      opened += 1;
      return null;
    },
  );
  expect(world.compositorSockets().size).toBe(0);
  expect(opened).toBe(0);
  world.local(1, '1');
  expect(opened).toBeGreaterThan(0);
});
