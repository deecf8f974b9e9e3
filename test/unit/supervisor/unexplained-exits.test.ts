import { describe, expect, test } from 'vitest';
import { UnexplainedExits } from '../../../main/home/unexplained-exits.ts';
import type { Probing } from '../../../main/os/processes/probing.ts';
import { claudeEnvironment, claudeShell, type Plant } from '../jobs/plant.ts';
import { Stage } from './stage.ts';

const plants = (start: number): readonly Plant[] => [
  { pid: 34, start: 90_000, argv: 'claude' },
  { pid: 69, start, ppid: 34, sid: 69, argv: claudeShell('sleep 9 | cat'), env: claudeEnvironment({ pid: 34 }) },
  { pid: 70, start: start + 1, ppid: 69, argv: 'sleep 9', env: claudeEnvironment({ pid: 34 }) },
];

const watched = (start: number) => {
  const stage = new Stage(...plants(start));
  const unexplained = new UnexplainedExits(stage.machine.source);
  const look = (ours = false) =>
    unexplained.look(stage.observer.look(), () => ours).map(({ judged }) => judged.job.members.length);
  return { stage, look };
};

describe('a job that had overstayed and is gone', () => {
  test('is told of once, a look later, as it was', () => {
    const { stage, look } = watched(98_000);
    expect(look()).toEqual([]);
    stage.machine.end(70);
    stage.machine.end(69);
    expect([look(), look(), look()]).toEqual([[], [2], []]);
  });

  test('not one within its time, not one that Curfew is ending, not one of which something lives', () => {
    const young = watched(99_990);
    const ours = watched(98_000);
    for (const { stage, look } of [young, ours]) {
      look(true);
      stage.machine.end(70);
      stage.machine.end(69);
    }
    expect([young, ours].flatMap(({ look }) => [look(true), look(true)])).toEqual([[], [], [], []]);
    const other = watched(98_000);
    other.look();
    other.stage.machine.end(69);
    // What is left carries no mark any more, and the ledger that knew it is gone.
    other.stage.machine.change(70, { env: {}, sid: 1, pgid: 1 });
    other.stage.ledger = [];
    expect([other.look(), other.look()]).toEqual([[], []]);
  });

  test('counts a kill of its group from before the look that saw it last', () => {
    const { machine, observer } = new Stage(...plants(98_000));
    let kills = 3;
    const probing = { oomKills: () => kills } as unknown as Probing;
    const unexplained = new UnexplainedExits({ read: (pid) => machine.source.read(pid), probing });
    const look = () => unexplained.look(observer.look(), () => false).map(({ oomKills }) => oomKills);
    look();
    // It is killed while the machine is looked at: the table still shows it, the counter counts it.
    kills = 4;
    look();
    machine.end(70);
    machine.end(69);
    expect([look(), look()]).toEqual([[], [3]]);
  });
});
