import { expect, test } from 'vitest';
import { isToldFirst } from '../../../main/reaping/admission.ts';
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
  expect(isToldFirst({ decidedBy: 'rule' }, undue)).toBe(false);
  expect(isToldFirst({ decidedBy: 'hook' }, undue)).toBe(false);
  expect(isToldFirst({ decidedBy: 'hook' }, untold)).toBe(true);
  expect(isToldFirst({ decidedBy: 'person' }, untold)).toBe(true);
  expect(isToldFirst({ decidedBy: 'command' }, undue)).toBe(true);
});
