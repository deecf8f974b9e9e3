import { expect, test } from 'vitest';
import { widthFor } from '../../../main/cli/common/output.ts';

test.each<[number | undefined, boolean, NodeJS.Platform, number]>([
  [120, true, 'linux', 120],
  [120, true, 'win32', 119],
  [undefined, true, 'linux', 80],
  [0, true, 'win32', 79],
  [1, true, 'win32', 1],
  [undefined, false, 'win32', 100],
])('%s columns (terminal: %s) on %s are %s', (columns, isTerminal, platform, width) => {
  expect(widthFor(columns, isTerminal, platform)).toBe(width);
});
