import { expect, test } from 'vitest';
import { reportedAnswers } from '../../../build/scripts/mac-report.ts';

test('the answers of a Mac are taken out of its report, and nothing that was cut', () => {
  const report = ['ProductName: macOS', '42 17 4 0 0a0b0c0d', '1 9 0 1 ', '42 17 8 0 0a0b', '0 12 ff', ''].join('\n');
  expect(reportedAnswers(report)).toEqual([
    { pid: 42, flavor: 17, bytes: 4, errno: 0, hex: '0a0b0c0d' },
    { pid: 1, flavor: 9, bytes: 0, errno: 1, hex: '' },
  ]);
});
