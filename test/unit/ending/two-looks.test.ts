import { describe, expect, test } from 'vitest';
import type { JudgedJob, Look } from '../../../main/observing/look.ts';
import { confirmTwice, firstLookOf, seeAllTwice } from '../../../main/ending/two-looks.ts';
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

describe('where the machine counts no time awake between two looks', () => {
  /** Looks a second apart; `slept`: seconds that the machine says at each it was asleep. */
  const looksOf = (...slept: readonly number[]): readonly Look[] => {
    const stage = new Stage(shell);
    return slept.map((seconds) => {
      stage.pass(1);
      const look = stage.observer.look();
      const { nowTicks, ticksPerSecond } = look.table;
      const awake = [
        { fromTicks: 0, toTicks: nowTicks - 50, suspendedTicks: 0 },
        { fromTicks: nowTicks - 50, toTicks: nowTicks, suspendedTicks: seconds * ticksPerSecond },
      ];
      return { ...look, table: { ...look.table, awake } };
    });
  };

  const seen = async (all: readonly Look[]) => {
    const left = [...all];
    const { due } = await seeAllTwice(
      () => left.shift() ?? expect.unreachable('it was looked at too often'),
      ({ jobs }) => [...jobs.values()],
      () => 10,
    );
    return { due: due.length, further: all.length - left.length - 2 };
  };

  test('it is looked at again, and the last two have to agree', async () => {
    expect(await seen(looksOf(0, 0))).toEqual({ due: 1, further: 0 });
    expect(await seen(looksOf(0, 60, 0))).toEqual({ due: 1, further: 1 });
  });

  test('nothing is confirmed where it goes on like that', async () => {
    expect(await seen(looksOf(0, 60, 60, 60, 60, 60))).toEqual({ due: 0, further: 4 });
  });
});
