import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { incidentId } from '../../../app/history/incident-id.ts';
import { LatestIncidents } from '../../../main/interface/snapshot/latest-incidents.ts';
import { ended, nothing, sampleIntent } from '../../unit/history/sample.ts';
import { emptyFolder, recordIn, type Record } from './support.ts';

const dayMs = 86_400_000;
const now = Date.now();

const add = ({ journal }: Record, daysAgo: number, processes: number, rssBytes: number): void => {
  const atMs = now - daysAgo * dayMs;
  const intent = sampleIntent({ id: incidentId(atMs, Math.round(daysAgo * 10)), atMs });
  journal.begin(intent);
  journal.append(intent.id, ended(atMs + 5, { freed: { ...nothing, processes, rssBytes } }));
};

test('what was freed counts for seven days, and a new ending is seen at once', () => {
  const folder = emptyFolder();
  const record = recordIn(folder);
  const latest = new LatestIncidents(record.history, join(folder, 'history.db'));
  expect(latest.recorded(now)).toEqual({ incidents: [], freedThisWeek: { processes: 0, rssBytes: 0, since: null } });
  add(record, 8, 5, 5000);
  add(record, 6.5, 3, 3000);
  add(record, 0.5, 2, 2000);
  expect(latest.recorded(now).incidents).toHaveLength(3);
  expect(latest.recorded(now).freedThisWeek).toEqual({ processes: 5, rssBytes: 5000, since: null });
  // Half a day later the older of the two is not of this week any more, though nothing was written.
  expect(latest.recorded(now + dayMs).freedThisWeek).toEqual({ processes: 2, rssBytes: 2000, since: null });
});

test('records of before, which count each process of a loop, are left out, and the sum says since when', () => {
  const folder = emptyFolder();
  const record = recordIn(folder);
  add(record, 2, 10, 18_000_000);
  const file = new DatabaseSync(record.path);
  file.exec('DROP TABLE freed_at_once; DROP TABLE removal; PRAGMA user_version = 2');
  file.close();
  record.journal.close();
  const later = recordIn(folder);
  const latest = new LatestIncidents(later.history, record.path);
  add(later, -0.01, 2, 4_800_000);
  const { freedThisWeek } = latest.recorded(now + dayMs);
  expect(freedThisWeek).toMatchObject({ processes: 2, rssBytes: 4_800_000 });
  expect(Date.parse(freedThisWeek.since ?? '')).toBeGreaterThanOrEqual(now - 1000);
  expect(later.history.page({}, 0, 9).incidents.at(-1)?.freed.processes).toBe(10);
  // A part of the record says so by itself: all of it, what is of before, and what is not.
  const parts = [{}, { untilMs: now }, { sinceMs: now }].map((part) => later.history.freedSinceMs(part) !== null);
  expect(parts).toEqual([true, true, false]);
});
