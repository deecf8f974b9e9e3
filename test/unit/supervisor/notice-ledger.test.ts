import { expect, test } from 'vitest';
import type { Diagnosis, Job } from '../../../app/model/job.ts';
import { judge } from '../../../app/judge/judge.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import type { JudgedJob } from '../../../main/observing/look.ts';
import { NoticeLedger } from '../../../main/supervisor/notice-ledger.ts';
import { jobOf, nowMs } from '../judge/job-builder.ts';

const diagnosed = (...codes: readonly Diagnosis['code'][]): Partial<Job> => ({
  diagnoses: codes.map((code) => ({ code, figures: {} })),
});

const judgedAt = (ageSeconds: number, more: Partial<Job>): JudgedJob => {
  const job = jobOf(ageSeconds, more);
  const verdict = judge(job, { ...defaultSettings, mode: 'enforce' }, { nowMs, vetoes: [] });
  // Nothing of the ledger is asked for what was told.
  return { job, verdict, vetoes: [], entry: {} as JudgedJob['entry'] };
};

test('a diagnosis is told once, each further one once, and none of them is a notice of the end', () => {
  const told = new NoticeLedger();
  const tell = (age: number, ...codes: readonly Diagnosis['code'][]) =>
    told.tell(judgedAt(age, { ...diagnosed(...codes), announcedSeconds: age > 1745 ? age - 1745 : null }));
  expect(tell(900, 'polling')).toEqual({ end: false, isNew: true });
  expect(tell(905, 'polling')).toEqual({ end: false, isNew: false });
  expect(tell(910, 'polling', 'zombie-children')).toEqual({ end: false, isNew: true });
  expect(tell(915, 'polling')).toEqual({ end: false, isNew: false });
  expect(tell(920, 'polling', 'zombie-children')).toEqual({ end: false, isNew: false });
  expect(tell(1745, 'polling')).toEqual({ end: true, isNew: true });
  expect(tell(1750, 'polling')).toEqual({ end: true, isNew: false });
});

test('what an earlier Curfew told of is not told again', () => {
  const earlier = { ...diagnosed('polling'), noticedAtMs: nowMs - 60_000 };
  expect(new NoticeLedger().tell(judgedAt(2000, { ...earlier, silentSeconds: 0 })).isNew).toBe(false);
});

test('forgotten with its job', () => {
  const told = new NoticeLedger();
  told.tell(judgedAt(900, diagnosed('polling')));
  told.keepOnly({ has: () => false });
  expect(told.tell(judgedAt(900, diagnosed('polling'))).isNew).toBe(true);
});

test('an end is announced once, and again when its countdown began anew', () => {
  const told = new NoticeLedger();
  const orphan = (announcedSeconds: number | null): JudgedJob =>
    judgedAt(9000, { owner: { state: 'gone', sinceMs: null, evidence: '' }, announcedSeconds });
  expect(told.tell(orphan(null)).isNew).toBe(true);
  expect(told.tell(orphan(5)).isNew).toBe(false);
  expect(told.tell(orphan(null)).isNew).toBe(true);
});

test('told that it overstays, the user is told again before it is ended', () => {
  const told = new NoticeLedger();
  const unknown: Partial<Job> = { owner: { state: 'unknown', evidence: '' } };
  expect([2000, 2005, 14_350].map((age) => told.tell(judgedAt(age, unknown)).isNew)).toEqual([true, false, true]);
});
