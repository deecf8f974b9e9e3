import { safe } from '../../ui/scene/safe.ts';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { incidentId } from '../../../app/history/incident-id.ts';
import type { Intent } from '../../../app/history/incident.ts';
import { pruneHistory, wipeHistory } from '../../../main/store/history/history-retention.ts';
import { setAsideFiles } from '../../../main/store/database/set-aside.ts';
import { ended, sampleIntent, type IntentChanges } from '../../unit/history/sample.ts';
import { bytesIn, emptyFolder, recordIn, type Record } from './support.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 21);

const aged = (days: number, changes: IntentChanges = {}): Intent =>
  sampleIntent({ id: incidentId(now - days * dayMs, days), atMs: now - days * dayMs, ...changes });

const add = (record: Record, intent: Intent, finished = true): void => {
  record.journal.begin(intent);
  if (finished) record.journal.append(intent.id, ended(intent.atMs + 5));
};

describe('an incident older than the retention time', () => {
  test('is gone, to the day, and a younger one stays', () => {
    const record = recordIn(emptyFolder());
    for (const days of [0, 1, 89, 90, 91, 400]) add(record, aged(days));
    expect(pruneHistory(record.place, 90, now)).toBe(2);
    expect(record.all().map(({ atMs }) => (now - atMs) / dayMs)).toEqual([0, 1, 89, 90]);
    expect(pruneHistory(record.place, 90, now)).toBe(0);
  });

  test('leaves nothing readable in the file, nor the name of a project without newer incidents', () => {
    const folder = emptyFolder();
    const record = recordIn(folder);
    add(record, aged(100, { command: 'deploy --customer Hapag', project: safe('/work/hapag'), host: 'old.example' }));
    add(record, aged(1, { command: 'npm test', project: safe('/work/other') }));
    record.journal.close();
    expect(bytesIn(folder)).toContain('hapag');
    pruneHistory(record.place, 90, now);
    expect(bytesIn(folder)).not.toMatch(/hapag|old\.example/i);
    expect(bytesIn(folder)).toContain('npm test');
    expect(record.history.overview({}).projects).toEqual(['/work/other']);
  });

  test('stays while its reaping is in progress', () => {
    const record = recordIn(emptyFolder());
    add(record, aged(100), false);
    expect(pruneHistory(record.place, 90, now)).toBe(0);
    expect(record.history.unfinished()).toHaveLength(1);
  });

  test('is deleted in batches, so that more than a thousand take no long lock', () => {
    const record = recordIn(emptyFolder());
    record.journal.together(() => {
      for (let number = 0; number < 2_500; number += 1) {
        add(record, aged(200, { id: incidentId(now - 200 * dayMs, number) }));
      }
      add(record, aged(1));
    });
    expect(pruneHistory(record.place, 90, now)).toBe(2_500);
    expect(record.all()).toHaveLength(1);
  });
});

describe('wiping', () => {
  test('leaves no trace, not even in files that were set aside, and frees the space', () => {
    const folder = emptyFolder();
    const record = recordIn(folder);
    add(record, aged(1));
    record.journal.close();
    writeFileSync(record.path, `damaged ${'hapag '.repeat(2_000)}`);
    for (let days = 0; days < 300; days += 1) add(record, aged(days, { command: `hapag ${'x'.repeat(5_000)}` }));
    expect(setAsideFiles(record.path)).toHaveLength(1);
    const before = statSync(record.path).size;
    record.journal.close();

    expect(wipeHistory(record.place, null)).toBe(300);
    expect(record.all()).toEqual([]);
    expect(setAsideFiles(record.path)).toEqual([]);
    expect(bytesIn(folder)).not.toMatch(/hapag|shop/);
    expect(statSync(record.path).size).toBeLessThan(before / 10);
  });

  test('before a moment leaves the rest, and files that were set aside', () => {
    const record = recordIn(emptyFolder());
    writeFileSync(record.path, 'damaged');
    for (const days of [1, 5, 9]) add(record, aged(days));
    expect(wipeHistory(record.place, now - 5 * dayMs)).toBe(1);
    expect(record.all()).toHaveLength(2);
    expect(setAsideFiles(record.path).map((path) => readFileSync(path, 'utf8'))).toEqual(['damaged']);
  });

  test('leaves a reaping in progress, whose results can still be recorded', () => {
    const record = recordIn(emptyFolder());
    add(record, aged(0), false);
    add(record, aged(1));
    expect(wipeHistory(record.place, null)).toBe(1);
    record.journal.append(aged(0).id, ended(now + 5));
    expect(record.all()).toMatchObject([{ id: aged(0).id, outcome: 'reaped' }]);
  });

  test('without a record creates nothing', () => {
    const record = recordIn(emptyFolder());
    expect(wipeHistory(record.place, null)).toBe(0);
    expect(pruneHistory(record.place, 1, now)).toBe(0);
    expect(existsSync(record.path)).toBe(false);
  });
});
