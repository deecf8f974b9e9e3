import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { numbersOf } from '../../../../app/jobs/ledger/numbers.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { machineOf } from '../machine.ts';

/** Rows with these numbers: `own` and that of what started each. */
const rowsOf = (all: readonly (readonly [number, number])[]): readonly ProcessRow[] => {
  const plants = all.map(([own]) => ({ pid: 1000 + own, argv: 'x' }));
  const { rows } = machineOf(plants).table();
  return [...rows.values()]
    .filter(({ pid }) => pid > 1)
    .map((row, at) => ({ ...row, numbers: { own: all[at]?.[0] ?? 0, starter: all[at]?.[1] ?? 0 } }));
};
const table = (rows: readonly ProcessRow[]) => new Map(rows.map((row) => [row.pid, row]));

test('numbers of the parts are remembered, and of ended ones that a living process names', () => {
  const rows = rowsOf([
    [10, 5],
    [11, 6],
  ]);
  expect(numbersOf(table(rows), rows.slice(0, 1), [5, 6, 7])).toEqual([5, 6, 10]);
});

test('one that lives and is no part any more is forgotten', () => {
  const rows = rowsOf([
    [10, 5],
    [11, 10],
  ]);
  expect(numbersOf(table(rows), rows.slice(1), [10])).toEqual([11]);
});

test('where the kernel gives no numbers, none are remembered', () => {
  const { rows } = machineOf([{ pid: 10, argv: 'x' }]).table();
  expect(numbersOf(rows, [...rows.values()], [])).toEqual([]);
});

test('whatever was remembered: only parts that live, and ended ones that are named', () => {
  const number = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(number, number), { selector: ([own]) => own, maxLength: 8 }),
      fc.uniqueArray(number),
      fc.nat(8),
      (all, before, count) => {
        const rows = rowsOf(all);
        const parts = rows.slice(0, count);
        const living = new Set(all.map(([own]) => own));
        const named = new Set(all.map(([, starter]) => starter));
        for (const one of numbersOf(table(rows), parts, before)) {
          const isPart = parts.some(({ numbers }) => numbers?.own === one);
          expect(isPart || (before.includes(one) && named.has(one) && !living.has(one))).toBe(true);
        }
        expect(numbersOf(table(rows), parts, before)).toEqual(
          expect.arrayContaining(parts.map(({ numbers }) => numbers?.own)),
        );
      },
    ),
  );
});
