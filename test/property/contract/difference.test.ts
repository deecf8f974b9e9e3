import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceSchema } from '../../../app/contract/difference/difference-schema.ts';
import { applyDifference, diffSnapshot } from '../../../app/contract/difference/difference.ts';
import { snapshotSchema, type Snapshot, type SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { snapshotJob } from '../../unit/contract/samples.ts';
import { snapshot } from '../../unit/contract/sample-snapshot.ts';
import { safe } from '../../unit/safe-text.ts';

const job = (id: string): fc.Arbitrary<SnapshotJob> =>
  fc
    .record({ fds: fc.nat(), command: fc.string(), ports: fc.array(fc.nat({ max: 65_535 }), { maxLength: 2 }) })
    .map(({ fds, command, ports }) => {
      const plain = snapshotJob(id, { command: safe(command) });
      return { ...plain, holds: { ...plain.holds, fds, ports } };
    });

const jobs = fc
  .shuffledSubarray(['a1', 'b2', 'c3', 'd4', 'e5'])
  .chain((ids): fc.Arbitrary<SnapshotJob[]> => fc.tuple(...ids.map(job)));

const snapshots: fc.Arbitrary<Snapshot> = fc
  .record({
    revision: fc.nat(),
    jobs,
    mode: fc.constantFrom('enforce' as const, 'observe' as const),
    pausedUntil: fc.constantFrom(null, 'forever' as const, '2026-11-21T03:00:00.000Z'),
    processes: fc.nat(),
  })
  .map(({ processes, ...parts }) => ({ ...snapshot, ...parts, health: { ...snapshot.health, processes } }));

/** What a carrier does to every message. */
const carried = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

test('the old snapshot and the difference give the new one, over a carrier too', () => {
  fc.assert(
    fc.property(snapshots, snapshots, (old, next) => {
      const difference = differenceSchema.parse(carried(diffSnapshot(old, next)));
      const applied = applyDifference(old, difference);
      expect(applied).toEqual(next);
      expect(snapshotSchema.parse(carried(applied))).toEqual(next);
    }),
  );
});

test('two snapshots that say the same differ in nothing but the revision, and keep their objects', () => {
  fc.assert(
    fc.property(snapshots, (old) => {
      const difference = diffSnapshot(old, { ...carried(old), revision: old.revision + 1 });
      expect(difference).toEqual({ from: old.revision, to: old.revision + 1, parts: {} });
      expect(applyDifference(old, difference)?.jobs).toBe(old.jobs);
    }),
  );
});

test('a job that did not change keeps its object when others do', () => {
  fc.assert(
    fc.property(snapshots, snapshots, (old, next) => {
      const applied = applyDifference(old, carried(diffSnapshot(old, next)));
      const unchanged = old.jobs.filter((before) =>
        next.jobs.some((after) => after.id === before.id && JSON.stringify(after) === JSON.stringify(before)),
      );
      const kept = applied?.jobs.filter((after) => unchanged.includes(after));
      expect(kept).toHaveLength(unchanged.length);
    }),
  );
});

test('a difference of another revision is not applied', () => {
  fc.assert(
    fc.property(snapshots, snapshots, (old, next) => {
      const difference = { ...diffSnapshot(old, next), from: old.revision + 1 };
      expect(applyDifference(old, difference)).toBeNull();
    }),
  );
});
