import { describe, expect, test } from 'vitest';
import { DueConfirmation } from '../../../main/supervisor/watch.ts';
import type { Plant } from '../jobs/plant.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { Stage } from './stage.ts';

const env = claudeEnvironment({ pid: 34 });
const agent: Plant = { pid: 34, start: 98_000, argv: 'claude' };
const shell: Plant = { pid: 69, start: 99_000, ppid: 34, sid: 69, argv: claudeShell('sleep 9 &'), env };

/** Looks after so many seconds each, and says at which look the job was confirmed. */
const confirmedAt = (
  stage: Stage,
  pauses: readonly number[],
  between: (look: number) => void = () => undefined,
): readonly number[] => {
  const dueConfirmation = new DueConfirmation();
  stage.settings = { ...stage.settings, noticeSeconds: 0 };
  stage.observer.look();
  stage.announce();
  return pauses.flatMap((seconds, at) => {
    stage.pass(seconds);
    between(at);
    const confirmed = dueConfirmation.confirm(stage.observer.look(), stage.settings).length > 0;
    stage.announce();
    return confirmed ? [at] : [];
  });
};

const orphan = (): Stage => new Stage({ ...shell, ppid: 1 });

describe('a job is due when two looks, a scan apart, say so', () => {
  test('the second one confirms', () => {
    expect(confirmedAt(orphan(), [0, 5, 5])).toEqual([1, 2]);
  });

  test('a second look right after the first does not', () => {
    expect(confirmedAt(orphan(), [0, 0.1, 0.1, 5])).toEqual([3]);
  });

  test('a look in between that finds it not due begins anew', () => {
    const stage = orphan();
    const observing = (at: number): void => {
      stage.settings = { ...stage.settings, mode: at === 1 ? 'observe' : 'enforce' };
    };
    expect(confirmedAt(stage, [0, 5, 5, 5, 5], observing)).toEqual([3, 4]);
  });

  test('another root begins anew', () => {
    const stage = new Stage({ ...shell, ppid: 1 }, { pid: 70, start: 99_001, ppid: 69, argv: 'sleep 9', env });
    expect(confirmedAt(stage, [0, 5, 5, 5], (at) => at === 1 && stage.machine.end(69))).toEqual([2, 3]);
  });

  test('a recycled pid is another root', () => {
    const stage = orphan();
    const recycle = (at: number): void => {
      if (at !== 1) return;
      stage.machine.end(69);
      stage.machine.start({ ...shell, ppid: 1, start: 99_005 });
    };
    expect(confirmedAt(stage, [0, 5, 5], recycle)).toEqual([2]);
  });

  test('of one that is not due nothing is confirmed', () => {
    expect(confirmedAt(new Stage(agent, shell), [0, 5, 5, 5])).toEqual([]);
  });
});

describe('a session that is seen to end may be taken over', () => {
  test('its jobs wait for the grace of an orphan from then on, however old they are', () => {
    const stage = new Stage(agent, shell);
    stage.settings = { ...stage.settings, orphanGraceSeconds: 30 };
    stage.observer.look();
    stage.machine.end(34);
    expect(confirmedAt(stage, [5, 5, 5, 5, 5, 5, 5, 5])).toEqual([6, 7]);
  });

  test('no longer than the grace of an orphan', () => {
    const stage = new Stage(agent, shell);
    stage.settings = { ...stage.settings, orphanGraceSeconds: 0 };
    stage.observer.look();
    stage.machine.end(34);
    expect(confirmedAt(stage, [5, 5])).toEqual([1]);
  });

  test('one that had ended when Curfew began to look is not waited for', () => {
    expect(confirmedAt(orphan(), [0, 5])).toEqual([1]);
  });

  test('a wall clock that is put back makes it wait no longer than that', () => {
    const stage = new Stage(agent, shell);
    stage.observer.look();
    stage.machine.end(34);
    stage.settings = { ...stage.settings, orphanGraceSeconds: 30 };
    stage.observer.look();
    stage.wallMs -= 86_400_000;
    expect(confirmedAt(stage, [5, 5, 5, 5, 5, 5, 5])).toEqual([6]);
  });
});
