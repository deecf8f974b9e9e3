import { describe, expect, test } from 'vitest';
import type { Intent } from '../../../app/history/incident.ts';
import { asJobId } from '../../../app/model/job.ts';
import { asBootId } from '../../../app/process/identity.ts';
import { isToldFirst, JobTaken, rejectConcurrentReaper } from '../../../main/reaping/admission.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { dueAndTold, Stage } from '../supervisor/stage.ts';

const shell = {
  pid: 69,
  start: 99_000,
  sid: 69,
  argv: claudeShell('sleep 9 &'),
  env: claudeEnvironment({ pid: 34 }),
};

test('what no user asked for begins only when it is due and its notice was given', () => {
  const stage = new Stage(shell);
  const [judged] = stage.observer.look().jobs.values();
  if (judged === undefined) throw new Error('there is no job');
  const told = dueAndTold(judged);
  const untold = { ...told, job: { ...told.job, announcedSeconds: null } };
  const undue = { ...told, verdict: { ...told.verdict, action: 'notify' } } as const;
  expect(isToldFirst({ decidedBy: 'rule' }, told)).toBe(true);
  expect(isToldFirst({ decidedBy: 'rule' }, untold)).toBe(false);
  expect(isToldFirst({ decidedBy: 'rule' }, { ...untold, toldEnded: true })).toBe(true);
  expect(isToldFirst({ decidedBy: 'rule' }, { ...undue, toldEnded: true })).toBe(false);
  expect(isToldFirst({ decidedBy: 'rule' }, undue)).toBe(false);
  expect(isToldFirst({ decidedBy: 'hook' }, undue)).toBe(false);
  expect(isToldFirst({ decidedBy: 'hook' }, untold)).toBe(true);
  expect(isToldFirst({ decidedBy: 'person' }, untold)).toBe(true);
  expect(isToldFirst({ decidedBy: 'command' }, undue)).toBe(true);
});

describe('an intent', () => {
  const writer = { pid: 900, startTicks: 7 };
  const intent = { job: 'a', bootId: 'boot', writer } as unknown as Intent;
  const rival = { ...intent, writer: { pid: 901, startTicks: 8 } };
  const admits = (open: Partial<Intent>, runs = true): boolean => {
    const asked: unknown[] = [];
    const admit = rejectConcurrentReaper(intent, (one) => {
      asked.push(one);
      return runs;
    });
    try {
      admit([{ ...rival, ...open }]);
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(JobTaken);
      expect(asked).toEqual([{ ...rival, ...open }.writer]);
      return false;
    }
  };

  test('is not taken while another living Curfew is ending the same job', () => {
    expect(admits({})).toBe(false);
    expect(admits({ writer: { pid: 901, startTicks: 7 } })).toBe(false);
    expect(admits({ writer: { pid: 900, startTicks: 8 } })).toBe(false);
    expect(() => rejectConcurrentReaper(intent, () => true)([rival])).toThrow(
      'another Curfew (process 901) is ending it already',
    );
  });

  test('is taken where that one has ended, is this very process, ends another job, or was of another boot', () => {
    expect(admits({}, false)).toBe(true);
    expect(admits({ writer })).toBe(true);
    expect(admits({ job: asJobId('b') })).toBe(true);
    expect(admits({ bootId: asBootId('other') })).toBe(true);
  });
});
