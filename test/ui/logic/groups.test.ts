import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLeftover } from '../../../app/contract/claims/claims.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { jobGroups } from '../../../renderer/popover/card/groups.ts';
import { memberTree } from '../../../renderer/popover/details/member-tree.ts';
import { sceneJob } from '../scene/job-builder.ts';

const now = Date.UTC(2026, 10, 21, 2);

const jobs = fc.uniqueArray(fc.constantFrom('a1', 'b2', 'c3', 'd4', 'e5', 'f6')).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc
        .record({
          state: fc.constantFrom('within', 'overdue', 'orphaned', 'past-cap', 'kept', 'protected'),
          action: fc.constantFrom('none', 'notify', 'reap'),
          owner: fc.constantFrom('live', 'gone', 'unknown'),
        })
        .map((sketch) => sceneJob({ id, command: id, ageSeconds: 10, ...sketch }, now)),
    ),
  ),
);

test('every job is shown exactly once, and what a look is due at, what a session left and what it replaced are cards', () => {
  fc.assert(
    fc.property(jobs, (all) => {
      const groups = jobGroups({ jobs: all, reapings: [] });
      const cards = groups.look.flatMap((item) => item.job ?? []);
      const shown = [...cards, ...groups.within, ...groups.kept, ...groups.protectedOnes].map(({ id }) => id);
      expect(shown.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      const isReplaced = (job: SnapshotJob): boolean => job.owner === 'live' && job.verdict.state === 'orphaned';
      const isDue = (job: SnapshotJob): boolean => job.verdict.action !== 'none' || isLeftover(job) || isReplaced(job);
      expect(cards.map(({ id }) => id).toSorted()).toEqual(
        all
          .filter(isDue)
          .map(({ id }) => id)
          .toSorted(),
      );
    }),
  );
});

test('the tree shows every process once, however strange the parents', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 8 }), { maxLength: 8 }), (parents) => {
      const [first] = sceneJob({ id: 'aa', command: 'x', ageSeconds: 1 }, now).members;
      if (first === undefined) throw new Error('the scene made a job without members');
      const members = parents.map((ppid, pid) => ({ ...first, pid, ppid }));
      const pids = memberTree(members).map(({ member }) => member.pid);
      expect(pids.toSorted((left, right) => left - right)).toEqual(members.map(({ pid }) => pid));
    }),
  );
});

test('a project goes by the last part of its path, also on Windows and with a slash at its end', () => {
  expect(['/home/me/shop', '/home/me/shop/', 'C:\\work\\shop', '/', null].map(projectName)).toEqual([
    'shop',
    'shop',
    'shop',
    '/',
    null,
  ]);
});
