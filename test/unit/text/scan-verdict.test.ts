import { expect, test } from 'vitest';
import { sayNextAfterScan, sayScan, type ScanSum } from '../../../app/text/scan-verdict.ts';

const none: ScanSum = { proved: 0, probable: 0, rssBytes: 0, ports: [], overdue: 0, running: 0, ends: 'observe' };

test.each<[Partial<ScanSum>, string]>([
  [{}, 'No leftovers'],
  [{ running: 3 }, 'No leftovers · 3 running · observe mode, nothing is ended by itself'],
  [
    { proved: 2, probable: 3, rssBytes: 419_000_000, ports: [3000], running: 8 },
    '5 leftovers (2 proved, 3 probable) hold 419 MB and port 3000 · 8 running · observe mode, nothing is ended by itself',
  ],
  [
    { proved: 1, rssBytes: 1_000_000, ends: 'no-supervisor' },
    '1 leftover (1 proved) holds 1.0 MB · no supervisor runs, nothing is ended by itself',
  ],
  [{ overdue: 2, ends: 'supervisor' }, 'No leftovers · 2 overdue · due jobs are ended after a notice'],
  [{ running: 1, ends: 'unknown' }, 'No leftovers · 1 running'],
])('the verdict of a look %j is one line', (sum, line) => {
  expect(sayScan({ ...none, ...sum })).toBe(line);
});

test('what to type next depends on what is there', () => {
  expect(sayNextAfterScan(none, false)).toBeNull();
  expect(sayNextAfterScan({ ...none, running: 1 }, true)).toBeNull();
  expect(sayNextAfterScan({ ...none, running: 1 }, false)).toContain('--explain');
  expect(sayNextAfterScan({ ...none, proved: 1 }, true)).toContain('reap --dry-run');
  expect(sayNextAfterScan({ ...none, probable: 1 }, true)).toContain('reap --probable');
  expect(sayNextAfterScan({ ...none, overdue: 1 }, true)).toContain('keep JOB');
});
