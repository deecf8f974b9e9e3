import { describe, expect, test } from 'vitest';
import type { JudgedJob, Look } from '../../../main/observing/look.ts';
import { confirmTwice, firstLookOf } from '../../../main/ending/two-looks.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { Stage } from '../supervisor/stage.ts';

const shell = {
  pid: 69,
  start: 99_000,
  sid: 69,
  argv: claudeShell('sleep 9 &'),
  env: claudeEnvironment({ pid: 34 }),
};

const lookAt = (stage: Stage): { readonly look: Look; readonly judged: JudgedJob } => {
  const look = stage.observer.look();
  const [judged] = look.jobs.values();
  if (judged === undefined) throw new Error('there is no job');
  return { look, judged };
};

describe('a second look confirms the first', () => {
  test('where it finds the same job with the same root, so many seconds later', () => {
    const stage = new Stage(shell);
    const before = lookAt(stage);
    const first = firstLookOf(before.look, before.judged);
    stage.pass(3);
    const { look, judged } = lookAt(stage);
    const second = firstLookOf(look, judged);
    expect(confirmTwice(first, look, second, 0)).toBe(true);
    expect(confirmTwice(first, look, second, 3)).toBe(true);
    expect(confirmTwice(first, look, second, 4)).toBe(false);
    expect(confirmTwice(undefined, look, second, 0)).toBe(false);
    expect(confirmTwice({ ...first, is: first.is.replace(judged.job.id, '0000abcd') }, look, second, 0)).toBe(false);
  });

  test('not where another process has the pid of its root', () => {
    const stage = new Stage(shell);
    const before = lookAt(stage);
    const first = firstLookOf(before.look, before.judged);
    stage.machine.end(69);
    stage.pass(3);
    stage.machine.start({ ...shell, start: 99_900 });
    const { look, judged } = lookAt(stage);
    expect(judged.job.root.pid).toBe(before.judged.job.root.pid);
    const second = firstLookOf(look, judged);
    expect(confirmTwice(first, look, second, 0)).toBe(false);
    const sameJob = first.is.replace(before.judged.job.id, judged.job.id);
    expect(confirmTwice({ ...first, is: sameJob }, look, second, 0)).toBe(false);
  });
});
