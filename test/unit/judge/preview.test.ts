import { expect, test } from 'vitest';
import { judge } from '../../../app/judge/judge.ts';
import { endedByEnforcing, endsSoon, previewVerdicts } from '../../../app/judge/preview.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { asJobId } from '../../../app/model/job.ts';
import { jobOf, nowMs } from './job-builder.ts';

const settings = { ...defaultSettings, mode: 'enforce' } as const;
const judged = [100, 700, 2000, 20_000].map((ageSeconds) => {
  const job = jobOf(ageSeconds, { id: asJobId(ageSeconds.toString(16)) });
  return { job, vetoes: [], verdict: judge(job, settings, { nowMs, vetoes: [] }) };
});

test('only what would be another verdict is told, and nothing when nothing changes', () => {
  expect(previewVerdicts(judged, settings, nowMs)).toEqual([]);
  const changed = previewVerdicts(judged, { ...settings, backgroundMaxElapsedSeconds: 600, noticeSeconds: 0 }, nowMs);
  expect(changed.map(({ job, before, after }) => [job.ageSeconds, before.state, after.state])).toEqual([
    [700, 'within', 'overdue'],
  ]);
});

test('the mode counts too: observing, nothing would be ended', () => {
  const changed = previewVerdicts(judged, { ...settings, mode: 'observe' }, nowMs);
  expect(changed.map(({ job, before, after }) => [job.ageSeconds, before.action, after.action])).toEqual([
    [2000, 'notify', 'notify'],
    [20_000, 'notify', 'notify'],
  ]);
  expect(changed.map(({ before, after }) => [endsSoon(before), endsSoon(after)])).toEqual([
    [true, false],
    [true, false],
  ]);
});

test('what enforcing would end is known before it is chosen', () => {
  const ended = endedByEnforcing(judged, { ...settings, mode: null }, nowMs);
  expect(ended.map(({ job, verdict }) => [job.ageSeconds, verdict.state])).toEqual([
    [2000, 'overdue'],
    [20_000, 'past-cap'],
  ]);
  const vetoes = [{ code: 'keep-marker', pid: 39, figures: {} }] as const;
  expect(endedByEnforcing([{ job: jobOf(20_000), vetoes }], settings, nowMs)).toEqual([]);
});

test('worst first, then the oldest', () => {
  const ages = worstFirst([...judged, ...judged.slice(0, 2)]).map(({ job }) => job.ageSeconds);
  expect(ages).toEqual([20_000, 2000, 700, 700, 100, 100]);
});
