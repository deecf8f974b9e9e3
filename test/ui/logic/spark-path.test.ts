import { describe, expect, test } from 'vitest';
import { sparkHeight, sparkPath } from '../../../renderer/parts/chart/spark-path.ts';

describe('the path of a small chart', () => {
  test('ends at the right edge, the highest value at the top and zero at the bottom', () => {
    const { line, area } = sparkPath([0, 50, 100], 5, 100);
    expect(line).toBe(`M2 ${sparkHeight}L3 ${sparkHeight / 2}L4 0`);
    expect(area).toBe(`M2 ${sparkHeight}L3 ${sparkHeight / 2}L4 0L4 ${sparkHeight}L2 ${sparkHeight}Z`);
  });

  test('has a gap where nothing is known', () => {
    expect(sparkPath([10, 10, null, 10, 10], 5, 10).line).toBe('M0 0L1 0M3 0L4 0');
  });

  test('shows one value alone as a short line', () => {
    expect(sparkPath([5], 60, 10)).toEqual({ line: 'M59 12L58 12', area: '' });
  });

  test('shows the newest where there are more values than steps', () => {
    expect(sparkPath([1, 2, 3, 4], 2, 4).line).toBe('M0 6L1 0');
  });

  test('draws nothing of nothing, and zeros at the bottom', () => {
    expect(sparkPath([], 60, 0)).toEqual({ line: '', area: '' });
    expect(sparkPath([0, 0], 2, 0).line).toBe(`M0 ${sparkHeight}L1 ${sparkHeight}`);
  });
});
