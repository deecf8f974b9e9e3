import { expect, test } from 'vitest';
import { planFor } from '../../../main/reaping/plan.ts';
import type { Plant } from '../jobs/plant.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { dueAndTold, Stage } from './stage.ts';

const env = claudeEnvironment({ pid: 34 });
const roots = Array.from({ length: 80 }, (_, index) => 1000 + 2 * index);
/** Each a tool shell with a child, its agent dead. */
const jobs: readonly Plant[] = roots.flatMap((pid) => [
  { pid, start: 99_000, sid: pid, argv: claudeShell(`sleep ${pid}`), env },
  { pid: pid + 1, start: 99_001, ppid: pid, argv: `sleep ${pid}`, env },
]);

/** The stage, with its durable writes counted. */
const begun = (): { readonly stage: Stage; readonly writes: () => number } => {
  const stage = new Stage(...jobs);
  let writes = 0;
  let depth = 0;
  const together = stage.journal.together.bind(stage.journal);
  stage.journal.together = (write) => {
    if (depth === 0) writes += 1;
    depth += 1;
    try {
      together(write);
    } finally {
      depth -= 1;
    }
  };
  return { stage, writes: () => writes };
};

const advance = (stage: Stage): ReturnType<Stage['reaper']['advance']> => {
  const look = stage.observer.look();
  expect(look.jobs.size).toBe(roots.length);
  for (const judged of look.jobs.values())
    stage.reaper.start(
      { job: judged.job.id, decidedBy: 'rule', plan: planFor(judged.job, stage.settings) },
      dueAndTold(judged),
    );
  return stage.reaper.advance(look);
};

test('many at once: every intent is on disk before its job hears a signal, and the disk is waited for a few times only', () => {
  const { stage, writes } = begun();
  stage.onSignal = (_signal, pid) => {
    const recorded = stage.journal.intents.some(({ processes }) => processes.some((one) => one.pid === pid));
    expect(recorded).toBe(true);
  };
  expect(advance(stage).failed).toEqual([]);
  expect(writes()).toBeLessThanOrEqual(4);
  expect(stage.finish()).toEqual(roots.map(() => 'reaped'));
});

test('another Curfew is ending one of them: that one is left to it, the others go on', () => {
  const { stage } = begun();
  const rival = roots[66] ?? 0;
  const write = stage.journal.begin.bind(stage.journal);
  stage.journal.begin = (intent, admit) => {
    if (intent.processes.some(({ pid }) => pid === rival)) throw new Error('another Curfew is ending it already');
    write(intent, admit);
  };
  const { failed } = advance(stage);
  expect(failed.map(({ intent }) => intent)).toEqual([null]);
  expect(stage.heard.some(({ pid }) => pid === rival || pid === rival + 1)).toBe(false);
  expect(stage.finish()).toHaveLength(roots.length - 1);
  expect(stage.machine.planted(rival)).toBeDefined();
});

test('the intents can’t be written: no process hears anything', () => {
  const { stage } = begun();
  stage.journal.broken = 'intent';
  expect(advance(stage).failed).toHaveLength(roots.length);
  expect(stage.heard).toEqual([]);
});

test('what came of it can’t be written: those whose results are lost are given up, and no process hears more', () => {
  const { stage } = begun();
  for (const root of roots) stage.deaf.add(root).add(root + 1);
  const together = stage.journal.together.bind(stage.journal);
  let broken = false;
  stage.journal.together = (write) => {
    together(write);
    broken ||= stage.heard.length > 0;
    if (broken) throw new Error('the disk is full');
  };
  const begin = stage.journal.begin.bind(stage.journal);
  stage.journal.begin = (intent, admit) => {
    if (broken) throw new Error('the disk is full');
    begin(intent, admit);
  };
  expect(advance(stage).failed).toHaveLength(roots.length);
  const heard = stage.heard.length;
  expect(heard).toBeGreaterThan(0);
  expect(heard).toBeLessThan(2 * roots.length);
  expect(stage.reaper.inProgress).toEqual([]);
});
