import { expect, test } from 'vitest';
import { memoryIn, processMemory } from '../../../../main/os/linux/probe/process-memory.ts';

test('memory is what smaps_rollup says, in bytes', () => {
  const text = [
    '55d0c2a00000-7ffd3b9ff000 ---p 00000000 00:00 0                          [rollup]',
    'Rss:                3000 kB',
    'Pss:                2000 kB',
    'Pss_Dirty:           900 kB',
    'Private_Clean:       100 kB',
    'Private_Dirty:       800 kB',
    'Swap:                 70 kB',
    'SwapPss:              60 kB',
    '',
  ].join('\n');
  expect(memoryIn(text)).toEqual({ pssBytes: 2_048_000, privateBytes: 921_600, swapBytes: 61_440 });
  expect(memoryIn('')).toBeNull();
  expect(memoryIn('Pss_Dirty: 900 kB')).toBeNull();
});

test.skipIf(process.platform !== 'linux')('of this process it is something, of one that is not there nothing', () => {
  const found = processMemory([process.pid, 4_194_303]);
  expect([...found.keys()]).toEqual([process.pid]);
  expect(found.get(process.pid)?.privateBytes).toBeGreaterThan(1_000_000);
});
