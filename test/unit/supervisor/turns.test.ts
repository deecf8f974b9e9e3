import { expect, test } from 'vitest';
import type { Plant } from '../jobs/plant.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { run, withClock, type Run } from './run-supervisor.ts';

withClock();

const env = claudeEnvironment({ pid: 34 });
const count = 200;
/** Leftovers of an agent that is gone, all of them overdue. */
const leftovers: readonly Plant[] = Array.from({ length: count }, (_, index) => {
  const pid = 1000 + index;
  return { pid, start: 99_000, sid: pid, argv: claudeShell(`sleep ${pid}`), env };
});

/**
 * A supervisor of all of them. `turn` is called in the first turn that others get after a signal,
 * with how many have heard one.
 */
const runWith = (turn: (one: Run, heard: number) => void): Run => {
  const one = run(...leftovers);
  let signalled = false;
  one.stage.onSignal = () => {
    if (signalled) return;
    signalled = true;
    setTimeout(() => turn(one, one.stage.heard.length), 0);
  };
  return one;
};

test('hundreds at once: others get a turn before all have heard a signal, and then all of them are ended', async () => {
  let atTurn = 0;
  const one = runWith((_, heard) => (atTurn = heard));
  await one.pass(80);
  expect(atTurn).toBeGreaterThan(0);
  expect(atTurn).toBeLessThan(count);
  expect(one.ended.map(({ outcome }) => outcome)).toEqual(leftovers.map(() => 'reaped'));
  expect(one.problems).toEqual([]);
});

test('what the user decides in such a turn counts for all who have not heard anything yet', async () => {
  let atTurn = 0;
  const one = runWith(({ stage, supervisor }, heard) => {
    atTurn = heard;
    stage.settings = { ...stage.settings, mode: 'observe' };
    supervisor.lookNow();
  });
  await one.pass(90);
  expect(atTurn).toBeGreaterThan(0);
  expect(new Set(one.stage.heard.map(({ pid }) => pid)).size).toBeLessThan(count);
  expect(one.stage.heard).toHaveLength(atTurn);
});

test('the machine is looked at in such a turn: the rest goes by a new look, in which no process is missed', async () => {
  let before = Infinity;
  let after = 0;
  const one = runWith(({ stage }) => {
    stage.observer.look();
    before = stage.observer.looks;
    stage.onSignal = () => {
      if (after === 0) after = stage.observer.looks;
    };
  });
  await one.pass(80);
  expect(after).toBeGreaterThan(before);
  expect(one.ended.map(({ outcome }) => outcome)).toEqual(leftovers.map(() => 'reaped'));
});

test('what dies between a look and its reaping is ended by Curfew, and did not go by itself', async () => {
  const one = run({ pid: 69, start: 99_000, sid: 69, argv: claudeShell('sleep 9'), env });
  one.stage.unkillable.add(69);
  one.stage.deaf.add(69);
  const { source } = one.stage.machine;
  const scan = source.scan.bind(source);
  let wasKilled = false;
  source.scan = (watched) => {
    const table = scan(watched);
    if (wasKilled && one.stage.machine.planted(69) !== undefined) one.stage.machine.end(69);
    return table;
  };
  one.stage.onSignal = (signal) => (wasKilled ||= signal === 'KILL');
  await one.pass(100);
  expect(one.ended.map(({ outcome }) => outcome)).toEqual(['killed']);
  expect(one.others).not.toEqual([]);
  expect(one.others.filter((other) => !other.endsWith(' 0'))).toEqual([]);
});
