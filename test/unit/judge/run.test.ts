import { describe, expect, test } from 'vitest';
import type { Job, RunTerms } from '../../../app/model/job.ts';
import { judgeRun } from '../../../app/judge/runs/run.ts';
import { asBootId, asPid } from '../../../app/process/identity.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { jobOf, nowMs } from './job-builder.ts';

const terms: RunTerms = {
  id: 'abcdefghij',
  background: true,
  maxElapsedSeconds: 100,
  atMaxElapsed: 'always',
  hardCapSeconds: 1000,
  graceSeconds: 10,
  supervisor: { bootId: asBootId('boot'), pid: asPid(30), startTicks: 1 },
};

const settings = { ...defaultSettings, mode: 'enforce' as const };

const judged = (ageSeconds: number, run: Partial<RunTerms> = {}, job: Partial<Job> = {}) =>
  judgeRun(jobOf(ageSeconds, { agent: 'curfew-run', ...job }), { ...terms, ...run }, settings, nowMs);

describe('what is said of a run', () => {
  test.each([
    [50, {}, 'within', 'none'],
    [99, {}, 'within', 'none'],
    [100, {}, 'overdue', 'none'],
    [1000, {}, 'past-cap', 'none'],
    // The user did not ask for this limit, so they are told of it.
    [45, { atMaxElapsed: 'reap' }, 'within', 'notify'],
    [100, { atMaxElapsed: 'notify' }, 'overdue', 'notify'],
    [100, { atMaxElapsed: 'reap-silent' }, 'overdue', 'notify'],
    // None but the hard cap: the settings' own max elapsed and orphan grace say nothing of it.
    [999, { maxElapsedSeconds: null }, 'within', 'none'],
  ] as const)('at %i s with %j: %s, %s', (age, run, state, action) => {
    expect(judged(age, run)).toMatchObject({ state, action });
  });

  test('however old, whatever its owner: the action is never to reap it', () => {
    for (const age of [0, 99, 100, 5000, 1e9])
      for (const atMaxElapsed of ['always', 'reap', 'reap-silent', 'notify'] as const)
        for (const owner of [
          { state: 'live', process: null, evidence: '' },
          { state: 'gone', sinceMs: null, evidence: '' },
          { state: 'unknown', evidence: '' },
        ] as const)
          expect(judged(age, { atMaxElapsed }, { owner }).action).not.toBe('reap');
  });

  test('the next moment is the next of its own limits, and a keep comes before its limit and not before its hard cap', () => {
    expect(judged(50).atMs).toBe(nowMs + 50_000);
    expect(judged(200).atMs).toBe(nowMs + 800_000);
    const keptUntilMs = nowMs + 60_000;
    expect(judged(200, {}, { keptUntilMs })).toMatchObject({ state: 'kept', atMs: keptUntilMs });
    expect(judged(1000, {}, { keptUntilMs }).state).toBe('past-cap');
    expect(judged(200, {}, { keptUntilMs: nowMs - 1 }).state).toBe('overdue');
  });
});
