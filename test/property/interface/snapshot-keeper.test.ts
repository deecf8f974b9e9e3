import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SnapshotDifference } from '../../../app/contract/difference/difference-schema.ts';
import { applyDifference } from '../../../app/contract/difference/difference.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { SnapshotKeeper } from '../../../main/interface/snapshot/snapshot-content.ts';
import { snapshotJob } from '../../unit/contract/samples.ts';
import { snapshot } from '../../unit/contract/sample-snapshot.ts';
import { safe } from '../../unit/safe-text.ts';

/**
 * Events: a part of the world changes and is published, a window asks for the whole, a window opens
 * or closes.
 */
const happenings = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('changed' as const),
      jobs: fc.shuffledSubarray(['a1', 'b2', 'c3']),
      command: fc.constantFrom('npm test', 'cargo watch'),
      paused: fc.boolean(),
    }),
    fc.record({ kind: fc.constantFrom('asked' as const, 'opened' as const, 'closed' as const) }),
  ),
  { maxLength: 40 },
);

interface Window {
  held: Snapshot;
  readonly end: () => void;
}

test('every window that got the whole once holds the snapshot by the differences alone, whenever it was opened', () => {
  fc.assert(
    fc.property(happenings, (list) => {
      let world = snapshot;
      let made = 0;
      const keeper = new SnapshotKeeper(() => {
        made += 1;
        const { revision: _revision, ...content } = world;
        return { ...content, at: moment(1_795_000_000_000 + made) };
      });
      let wasted = 0;
      const windows: Window[] = [];
      const open = (): void => {
        const follow = (difference: SnapshotDifference): void => {
          const next = applyDifference(window.held, JSON.parse(JSON.stringify(difference)) as SnapshotDifference);
          if (next === null) throw new Error('a difference was missed');
          window.held = next;
        };
        const end = keeper.subscribe(follow);
        const window: Window = { held: keeper.get(), end };
        windows.push(window);
      };
      for (const happening of list) {
        if (happening.kind !== 'changed') {
          if (happening.kind === 'opened') open();
          else if (happening.kind === 'closed') windows.pop()?.end();
          else keeper.get();
        } else {
          const { jobs, command, paused } = happening;
          const before = made;
          world = {
            ...world,
            jobs: jobs.map((id) => snapshotJob(id, { command: safe(command) })),
            pausedUntil: paused ? 'forever' : null,
          };
          keeper.changed();
          // Without a listener nothing is computed.
          if (windows.length === 0) wasted += made - before;
        }
        for (const { held } of windows) expect(held).toEqual(keeper.get());
      }
      expect(wasted).toBe(0);
      expect(keeper.get()).toMatchObject({ jobs: world.jobs, pausedUntil: world.pausedUntil });
    }),
  );
});
