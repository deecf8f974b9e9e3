import { describe, expect, test } from 'vitest';
import type { Order } from '../../../app/reap/target.ts';
import { ordersFor } from '../../../app/reap/target.ts';
import { sightOf, target, veto } from './targets.ts';

/** `group 69: 69 70` or `process 81`. */
const told = (orders: readonly Order[]): readonly string[] =>
  orders.map((order) =>
    order.to === 'group'
      ? `group ${order.pgid}: ${order.members.map(({ pid }) => pid).join(' ')}`
      : `process ${order.target.pid}`,
  );

const shell = target(69, 69);
const child = target(70, 69);
const stray = target(85, 85);

describe('a group is signalled as a group', () => {
  test('when all of it is to be, and its leader lives', () => {
    const living = [shell, child, stray];
    expect(told(ordersFor(living, sightOf(living)))).toEqual(['group 69: 69 70', 'group 85: 85']);
  });

  test('not when its leader has ended: then one by one', () => {
    expect(told(ordersFor([child], sightOf([child])))).toEqual(['process 70']);
  });

  test('not when a stranger lives in it', () => {
    const living = [shell, child];
    expect(told(ordersFor(living, sightOf(living, 69)))).toEqual(['process 69', 'process 70']);
  });

  test('not when a member is vetoed: that one hears nothing', () => {
    const living = [shell, { ...child, vetoes: [veto] }];
    expect(told(ordersFor(living, sightOf(living)))).toEqual(['process 69']);
  });

  test('not when only some of it are meant (newcomers, the stopped ones)', () => {
    expect(told(ordersFor([child], sightOf([shell, child])))).toEqual(['process 70']);
  });

  test('never group 0 or 1, which would be every process', () => {
    const odd = [target(0, 0), target(1, 1), target(40, 0), target(41, 1)];
    expect(told(ordersFor(odd, sightOf(odd))).filter((order) => order.startsWith('group'))).toEqual([]);
  });
});

test('no process is told twice, and none that is vetoed at all', () => {
  const living = [shell, child, stray, { ...target(90, 90), vetoes: [veto] }];
  const pids = ordersFor(living, sightOf(living)).flatMap((order) =>
    order.to === 'group' ? order.members.map(({ pid }) => pid) : [order.target.pid],
  );
  expect(pids.toSorted((left, right) => left - right)).toEqual([69, 70, 85]);
});

test('who is not among the living gets no order by being among the targets’ group', () => {
  expect(told(ordersFor([shell], sightOf([])))).toEqual(['process 69']);
});
