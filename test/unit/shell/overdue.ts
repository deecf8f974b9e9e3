import { safe } from '../../ui/scene/safe.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { lookMs, snapshotJob } from '../contract/samples.ts';

/** Returns an overdue job: 2 h old, its session alive. */
export const overdue = (id: string, fields: Partial<SnapshotJob> = {}): SnapshotJob =>
  snapshotJob(id, {
    startedAt: moment(lookMs - 7_200_000),
    project: safe('/home/me/shop'),
    verdict: {
      state: 'overdue',
      action: 'notify',
      at: null,
      endsAt: null,
      reasons: [{ code: 'working', text: safe('It has been running for 2 h.'), figures: {} }],
    },
    ...fields,
  });

/** Returns a job whose session is gone and that will be ended at `at`. */
export const orphaned = (id: string, at: string | null, fields: Partial<SnapshotJob> = {}): SnapshotJob =>
  overdue(id, {
    verdict: {
      state: 'orphaned',
      action: 'notify',
      at,
      endsAt: at,
      reasons: [
        { code: 'observe-mode', text: safe('Curfew only observes'), figures: {} },
        { code: 'owner-gone', text: safe('its session has ended'), figures: {} },
      ],
    },
    ...fields,
  });
