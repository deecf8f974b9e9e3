import { expect, test } from 'vitest';
import { applyDifference } from '../../../app/contract/difference/difference.ts';
import type { SnapshotDifference } from '../../../app/contract/difference/difference-schema.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { asJobId, type Job } from '../../../app/model/job.ts';
import { judge } from '../../../app/judge/judge.ts';
import { ageSeconds, startedAtMs, type ProcessTable } from '../../../app/process/table.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { snapshotJobs } from '../../../main/interface/snapshot/job-views.ts';
import { SnapshotKeeper } from '../../../main/interface/snapshot/snapshot-content.ts';
import { job, lookMs, table } from '../contract/samples.ts';
import { snapshot } from '../contract/sample-snapshot.ts';

/**
 * Returns the sample's table later on. The wall clock and the ticks are read one after the other,
 * so they are never quite in step.
 */
const tableAfter = (seconds: number): ProcessTable => ({
  ...table,
  takenAtMs: lookMs + seconds * 1000 + ((seconds * 7) % 13),
  nowTicks: table.nowTicks + seconds * table.ticksPerSecond,
});

type Changes = (index: number) => Partial<Job>;

/**
 * Returns what windows have of 300 jobs, half of them silent since the beginning and half working,
 * this many seconds after the sample.
 */
const jobsAfter = (seconds: number, changes: Changes): Snapshot['jobs'] => {
  const later = tableAfter(seconds);
  const judged = Array.from({ length: 300 }, (_, index) => {
    const age = ageSeconds(later, job.root.startTicks);
    const now: Job = {
      ...job,
      id: asJobId((0x1000 + index).toString(16)),
      ageSeconds: age,
      startedAtMs: startedAtMs(later, job.root.startTicks),
      announcedSeconds: seconds,
      silentSeconds: index % 2 === 0 ? age - 34 : seconds % 4,
      ...changes(index),
    };
    const context = { nowMs: later.takenAtMs, vetoes: [] };
    const verdict = judge(now, { ...defaultSettings, mode: 'enforce' }, context);
    return { job: now, verdict, vetoes: [] };
  });
  const look = {
    table: later,
    jobs: new Map(judged.map((each) => [each.job.id, each])),
  };
  return snapshotJobs([{ host: 'local', look }]);
};

/** Returns what a window gets at the scans after these seconds; it has the first whole. */
const sentAt = (looks: readonly number[], changes: Changes = () => ({})) => {
  const [first = 0, ...later] = looks;
  let now = first;
  const differences: SnapshotDifference[] = [];
  const keeper = new SnapshotKeeper(() => {
    const { revision: _revision, ...content } = snapshot;
    const at = moment(lookMs + now * 1000 + 50);
    const jobs = jobsAfter(now, now === first ? () => ({}) : changes);
    return { ...content, at, jobs, health: { ...content.health, lastLookAt: at } };
  });
  keeper.subscribe((difference) => differences.push(difference));
  let held = keeper.get();
  const whole = held;
  for (const seconds of later) {
    now = seconds;
    keeper.changed();
    held = applyDifference(held, differences.at(-1) ?? { from: -1, to: -1, parts: {} }) ?? held;
    expect(held).toEqual(keeper.get());
  }
  return { whole, held, differences };
};

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

test('300 jobs that only grew older are not sent again and keep their objects', () => {
  const { whole, held, differences } = sentAt([0, 5, 10]);
  expect(bytes(whole)).toBeGreaterThan(300_000);
  expect(differences.map(({ jobs }) => jobs)).toEqual([undefined, undefined]);
  for (const difference of differences) expect(bytes(difference)).toBeLessThan(500);
  expect(held.jobs.every((each, index) => each === whole.jobs[index])).toBe(true);
});

test('a change of one job is sent for that job only, and of its processes only that they changed', () => {
  const { differences } = sentAt([0, 5], (index) =>
    index === 7 ? { holds: { ...job.holds, ports: [3000, 3001] } } : {},
  );
  expect(differences[0]?.jobs).toMatchObject({
    put: [],
    changed: [{ fields: { holds: { ports: [3000, 3001] } } }],
  });
  expect(Object.keys(differences[0]?.jobs?.changed[0]?.fields ?? {})).not.toContain('members');
  expect(bytes(differences[0])).toBeLessThan(2000);
});

test('a changed sentence is sent', () => {
  // At 1,234 s the session had ended 12 min before; a minute later it is one more.
  const { whole, held } = sentAt([0, 60]);
  const sentence = (of: Snapshot): string | undefined =>
    of.jobs[0]?.verdict.reasons.find(({ code }) => code === 'owner-gone')?.text;
  expect(sentence(held)).not.toBe(sentence(whole));
});

test('the end of a silence and a clock change are sent', () => {
  const awake = sentAt([0, 5], (index) => (index === 8 ? { silentSeconds: 0 } : {}));
  expect(awake.differences[0]?.jobs?.changed).toMatchObject([{ fields: { silentSince: null } }]);
  const set = sentAt([0, 5], () => ({ startedAtMs: job.startedAtMs + 3_600_000 }));
  expect(set.differences[0]?.jobs?.changed).toHaveLength(300);
});
