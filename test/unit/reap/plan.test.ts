import { describe, expect, test } from 'vitest';
import type { RunTerms } from '../../../app/model/job.ts';
import type { Verdict } from '../../../app/judge/verdict.ts';
import { asBootId, asPid } from '../../../app/process/identity.ts';
import { killing } from '../../../app/reap/machine.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import type { JudgedJob } from '../../../main/observing/look.ts';
import { automaticOrder, planFor } from '../../../main/reaping/plan.ts';
import { jobOf, rowOf } from '../judge/job-builder.ts';

const settings = { ...defaultSettings, backgroundKillSignal: 'INT', backgroundKillGraceSeconds: 7 } as const;
const job = jobOf(9, {});

describe('a job', () => {
  test('is reaped by the settings, or as the caller asked', () => {
    expect(planFor(job, settings)).toEqual({ signal: 'INT', graceMs: 7000, ...killing });
    expect(planFor(job, settings, { signal: 'HUP', graceSeconds: 0 })).toEqual({
      signal: 'HUP',
      graceMs: 0,
      ...killing,
    });
  });

  test('with work in progress gets half a minute, whatever was asked', () => {
    const git = jobOf(9, { members: [{ row: rowOf(60, ['git', 'gc']), by: ['tree'] }] });
    expect(planFor(git, settings, { graceSeconds: 0 }).graceMs).toBe(30_000);
  });

  test('that is a run is told by TERM and waited for longer than it waits itself, whatever was asked', () => {
    const plan = (graceSeconds: number) => {
      const supervisor = { bootId: asBootId('boot:1'), pid: asPid(50), startTicks: 1 };
      const run = { supervisor, graceSeconds } as RunTerms;
      return planFor({ ...job, run }, settings, { signal: 'HUP', graceSeconds: 0 });
    };
    expect(plan(100)).toEqual({ signal: 'TERM', graceMs: 115_000, killRounds: 10, killPauseMs: 500 });
    // It gives work in progress half a minute.
    expect(plan(1).graceMs).toBe(45_000);
  });
});

test('what is due by itself is ended by the word of its session only where that made it due', () => {
  const order = (state: Verdict['state'], toldEnded?: true) =>
    automaticOrder({ job, verdict: { state }, ...(toldEnded && { toldEnded }) } as JudgedJob, settings);
  expect(order('orphaned', true)).toEqual({ job: job.id, decidedBy: 'hook', plan: planFor(job, settings) });
  expect(order('orphaned').decidedBy).toBe('rule');
  expect(order('past-cap', true).decidedBy).toBe('rule');
});
