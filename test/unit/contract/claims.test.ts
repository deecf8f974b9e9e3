import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimsOf, isLeftover } from '../../../app/contract/claims/claims.ts';
import { holdingsOf, leftoverGroups } from '../../../app/contract/claims/leftovers.ts';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { watching } from '../shell/stage.ts';
import { orphaned, overdue } from '../shell/overdue.ts';
import { lookMs, snapshotJob } from './samples.ts';

const later = moment(lookMs + 600_000);

/** Left by its session, its grace not over: nothing was announced yet. */
const leftover = (id: string, fields: Partial<SnapshotJob> = {}): SnapshotJob => {
  const job = orphaned(id, later, { owner: 'gone', ...fields });
  return { ...job, verdict: { ...job.verdict, action: 'none', reasons: [] } };
};

const kept = snapshotJob('ee', { verdict: { state: 'kept', action: 'none', at: null, endsAt: null, reasons: [] } });
const guarded = snapshotJob('ff', {
  verdict: { state: 'protected', action: 'none', at: null, endsAt: null, reasons: [] },
});

const enforcing: Snapshot = { ...watching, health: { ...watching.health, lastLookAt: moment(lookMs) } };

describe('what may be claimed', () => {
  test.each([
    ['enforcing', {}, 'connected', 0],
    ['offline', {}, 'lost', 0],
    ['signed-out', {}, 'signed-out', 0],
    ['starting', { health: { ...enforcing.health, lastLookAt: null } }, 'connected', 0],
    ['stale', {}, 'connected', 3_600_000],
    ['paused', { pausedUntil: 'forever' }, 'connected', 0],
    ['report-only', { platform: { ...enforcing.platform, canReap: false } }, 'connected', 0],
    ['unrecorded', { health: { ...enforcing.health, journalWritable: false } }, 'connected', 0],
    ['observing', { mode: 'observe' }, 'connected', 0],
  ] as const)('%s', (watch, change, connection, passedMs) => {
    const claims = claimsOf({ ...enforcing, ...change }, connection, lookMs + passedMs);
    expect(claims.watch).toBe(watch);
    expect(claims.current).toBe(!['offline', 'signed-out', 'starting', 'stale'].includes(watch));
  });

  test('only a watch that is on, recent, recording and allowed to end jobs is enforcing, whatever else', () => {
    fc.assert(
      fc.property(
        fc.record({
          mode: fc.constantFrom('enforce', 'observe'),
          pausedUntil: fc.constantFrom(null, 'forever'),
          canReap: fc.boolean(),
          journalWritable: fc.boolean(),
          looked: fc.boolean(),
          connection: fc.constantFrom('connected', 'connecting', 'lost', 'signed-out'),
          passedMs: fc.constantFrom(0, 50_000, 3_600_000),
        }),
        ({ mode, pausedUntil, canReap, journalWritable, looked, connection, passedMs }) => {
          const snapshot: Snapshot = {
            ...enforcing,
            mode,
            pausedUntil,
            platform: { ...enforcing.platform, canReap },
            health: { ...enforcing.health, journalWritable, lastLookAt: looked ? moment(lookMs) : null },
          };
          const { watch } = claimsOf(snapshot, connection, lookMs + passedMs);
          const allowed = mode === 'enforce' && pausedUntil === null && canReap && journalWritable;
          const known = looked && passedMs < 60_000 && connection !== 'lost' && connection !== 'signed-out';
          expect(watch === 'enforcing').toBe(allowed && known);
        },
      ),
    );
  });

  test('kept, protected and left over are counted by themselves, and each job once', () => {
    const jobs = [overdue('aa'), leftover('bb'), snapshotJob('cc'), snapshotJob('dd'), kept, guarded];
    expect(claimsOf({ ...enforcing, jobs }, 'connected', lookMs)).toMatchObject({
      needing: 1,
      leftover: 1,
      within: 2,
      kept: 1,
      protectedOnes: 1,
    });
  });
});

describe('leftovers', () => {
  test('are those of closed sessions, from the first check on, and never what a living one runs', () => {
    expect([leftover('aa'), overdue('bb'), kept, guarded, snapshotJob('cc')].map(isLeftover)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test('are grouped by session and project, the next to end first, without what is being ended', () => {
    const soon = moment(lookMs + 60_000);
    const jobs = [
      leftover('a1', { session: 's1' }),
      leftover('a2', { session: 's2' }),
      leftover('a3', { session: 's1' }),
      { ...leftover('a4', { session: 's3' }), verdict: { ...leftover('a4').verdict, endsAt: soon } },
    ];
    const groups = leftoverGroups({ jobs, reapings: [] });
    expect(groups.map((group) => group.jobs.map(({ id }) => id))).toEqual([['a4'], ['a1', 'a3'], ['a2']]);
    expect(holdingsOf(jobs)).toMatchObject({
      jobs: 4,
      processes: jobs.reduce((sum, job) => sum + job.members.length, 0),
    });
  });
});
