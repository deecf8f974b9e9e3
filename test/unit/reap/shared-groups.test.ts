import { expect, test } from 'vitest';
import type { ProcessTable } from '../../../app/process/table.ts';
import { sharedGroups } from '../../../main/reaping/holds.ts';
import { machineOf } from '../jobs/machine.ts';
import type { Plant } from '../jobs/plant.ts';
import { target } from './targets.ts';

const tableOf = (...plants: readonly Plant[]): ProcessTable => machineOf(plants).table();
const own: readonly Plant[] = [
  { pid: 69, pgid: 69, argv: 'a' },
  { pid: 70, pgid: 69, argv: 'b' },
  { pid: 85, pgid: 85, argv: 'c' },
];
const targets = [target(69, 69), target(70, 69), target(85, 85)];

test('a group is shared where a living process that is no target is in it', () => {
  expect(sharedGroups(tableOf(...own), targets)).toEqual(new Set());
  expect(sharedGroups(tableOf(...own, { pid: 95, pgid: 69, argv: 'mine' }), targets)).toEqual(new Set([69]));
  expect(sharedGroups(tableOf(...own, { pid: 95, pgid: 95, argv: 'mine' }), targets)).toEqual(new Set());
  expect(sharedGroups(tableOf(...own), targets.slice(1))).toEqual(new Set([69]));
});

test('a zombie shares nothing', () => {
  expect(sharedGroups(tableOf(...own, { pid: 95, pgid: 69, argv: 'x', state: 'Z' }), targets)).toEqual(new Set());
});
