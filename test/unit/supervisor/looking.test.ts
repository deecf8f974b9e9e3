import { expect, test } from 'vitest';
import type { Look } from '../../../main/observing/look.ts';
import { LookSuperseded } from '../../../main/observing/slices.ts';
import type { Plant } from '../jobs/plant.ts';
import { claudeEnvironment, claudeShell } from '../jobs/plant.ts';
import { Stage } from './stage.ts';

const env = claudeEnvironment({ pid: 34 });
const leftover = (pid: number): Plant => ({ pid, start: 99_000, sid: pid, argv: claudeShell(`sleep ${pid}`), env });
const leftovers = Array.from({ length: 20 }, (_, index) => leftover(1000 + index));

/** What a look says, without what it cost. */
const said = ({ tookMs: _took, cpuMs: _cpu, ...look }: Look): unknown => look;

test('a look in steps sees what a look at once sees, whatever begins between its steps', () => {
  const [whole, cut] = [new Stage(...leftovers), new Stage(...leftovers)];
  const steps = cut.observer.looking(0);
  let turns = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    turns += 1;
    cut.machine.start(leftover(2000 + turns));
  }
  expect(said(step.value)).toEqual(said(whole.observer.look()));
  expect(turns).toBeGreaterThan(2 * leftovers.length);
  expect(cut.ledger).toEqual(whole.ledger);
});

test('a look that another one overtook concludes nothing and remembers nothing', () => {
  const stage = new Stage(...leftovers);
  const overtaken = stage.observer.looking(0);
  for (let step = 0; step < 30; step += 1) overtaken.next();
  stage.observer.look();
  const remembered = stage.ledger;
  expect(() => overtaken.next()).toThrow(LookSuperseded);
  expect(stage.ledger).toBe(remembered);
});
