import { inEnglish } from '../../../app/text/say.ts';
import { expect, test } from 'vitest';
import { sayNextAfterScan, sayScan, sayVerdict, type ScanSum } from '../../../app/text/scan-verdict.ts';

const none: ScanSum = {
  proved: 0,
  probable: 0,
  rssBytes: 0,
  ports: [],
  sessions: 0,
  oldestSeconds: 0,
  overdue: 0,
  running: 0,
  ends: 'observe',
};

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
  expect(inEnglish(sayScan({ ...none, ...sum }))).toBe(line);
});

test('what to type next depends on what is there', () => {
  expect(sayNextAfterScan(none, false)).toBeNull();
  expect(sayNextAfterScan({ ...none, running: 1 }, true)).toBeNull();
  expect(inEnglish(sayNextAfterScan({ ...none, running: 1 }, false) ?? '')).toContain('--explain');
  expect(inEnglish(sayNextAfterScan({ ...none, proved: 1 }, true) ?? '')).toContain('reap --dry-run');
  expect(inEnglish(sayNextAfterScan({ ...none, probable: 1 }, true) ?? '')).toContain('reap --probable');
  expect(inEnglish(sayNextAfterScan({ ...none, overdue: 1 }, true) ?? '')).toContain('keep JOB');
});

test.each<[Partial<ScanSum>, string]>([
  [{}, 'No agent has left a command running.'],
  [{ running: 2, overdue: 1 }, 'No leftovers; 1 overdue, 2 running.'],
  [
    { proved: 2, probable: 5, sessions: 3, rssBytes: 4_100_000_000, ports: [3000], oldestSeconds: 57_600 },
    '7 leftovers of 3 closed sessions hold 4.1 GB and port 3000; the oldest is 16 h old, 2 proved and 5 probable.',
  ],
  [
    { proved: 1, sessions: 1, rssBytes: 5_000_000, oldestSeconds: 60 },
    '1 leftover of 1 closed session holds 5.0 MB; it is 1 min old.',
  ],
  [
    { probable: 2, rssBytes: 5_000_000, oldestSeconds: 60 },
    '2 leftovers hold 5.0 MB; the oldest is 1 min old, all only probable.',
  ],
])('bare curfew says %j in one sentence', (sum, sentence) => {
  expect(inEnglish(sayVerdict({ ...none, ...sum }))).toBe(sentence);
});
