import { expect, test } from 'vitest';
import { subordinateRanges } from '../../../../main/os/linux/proc/strangers.ts';

test('ranges of subordinate users are those of subuid(5), and what is no range is none', () => {
  const text = 'me:100000:65536\n1000:165536:65536\n# x:1:2\nodd:a:1\nodd:5\n:7:8\nlast:300000:1';
  expect(subordinateRanges(text)).toEqual([
    [100_000, 165_536],
    [165_536, 231_072],
    [300_000, 300_001],
  ]);
});
