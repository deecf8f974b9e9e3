import { join } from 'node:path';
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
  expect(latest.recorded(now)).toEqual({ incidents: [], freedThisWeek: { processes: 0, rssBytes: 0 } });
  add(record, 8, 5, 5000);
  add(record, 6.5, 3, 3000);
  add(record, 0.5, 2, 2000);
  expect(latest.recorded(now).incidents).toHaveLength(3);
  expect(latest.recorded(now).freedThisWeek).toEqual({ processes: 5, rssBytes: 5000 });
  // Half a day later the older of the two is not of this week any more, though nothing was written.
  expect(latest.recorded(now + dayMs).freedThisWeek).toEqual({ processes: 2, rssBytes: 2000 });
});
