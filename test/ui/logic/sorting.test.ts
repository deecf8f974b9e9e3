import { describe, expect, test } from 'vitest';
import {
  nextSorting,
  readSorting,
  sortedBy,
  writeSorting,
  type SortKeys,
} from '../../../renderer/parts/table/sorting.ts';

interface Fruit {
  readonly name: string;
  readonly grams: number | null;
}

const keys: SortKeys<'name' | 'grams', Fruit> = { name: ({ name }) => name, grams: ({ grams }) => grams };
const first = { name: 'ascending', grams: 'descending' } as const;
const fruit: readonly Fruit[] = [
  { name: 'pear 10', grams: 180 },
  { name: 'Apple', grams: null },
  { name: 'pear 9', grams: 150 },
  { name: 'cherry', grams: 8 },
];
const names = (sorted: readonly Fruit[]): readonly string[] => sorted.map(({ name }) => name);

describe('sorting a table', () => {
  test('by text, as people do: without regard to case, and numbers by their value', () => {
    expect(names(sortedBy(fruit, { column: 'name', direction: 'ascending' }, keys))).toEqual([
      'Apple',
      'cherry',
      'pear 9',
      'pear 10',
    ]);
  });

  test('by figures; what is unknown is last in both directions', () => {
    expect(names(sortedBy(fruit, { column: 'grams', direction: 'descending' }, keys))).toEqual([
      'pear 10',
      'pear 9',
      'cherry',
      'Apple',
    ]);
    expect(names(sortedBy(fruit, { column: 'grams', direction: 'ascending' }, keys)).at(-1)).toBe('Apple');
  });

  test('equal items keep their places in both directions', () => {
    const equal = ['first', 'second', 'third'].map((name) => ({ name, grams: 1 }));
    for (const direction of ['ascending', 'descending'] as const)
      expect(names(sortedBy(equal, { column: 'grams', direction }, keys))).toEqual(['first', 'second', 'third']);
  });

  test('a press on another column begins with its own direction, a second one turns it round', () => {
    const byName = { column: 'name', direction: 'ascending' } as const;
    const byGrams = nextSorting<'name' | 'grams'>(byName, 'grams', first);
    expect(byGrams).toEqual({ column: 'grams', direction: 'descending' });
    expect(nextSorting(byGrams, 'grams', first)).toEqual({ column: 'grams', direction: 'ascending' });
  });

  test('what was remembered is read again, and anything else is nothing', () => {
    const sorting = { column: 'grams', direction: 'descending' } as const;
    expect(readSorting(writeSorting(sorting), ['name', 'grams'])).toEqual(sorting);
    for (const text of [null, '', 'grams', 'grams sideways', 'weight descending'])
      expect(readSorting(text, ['name', 'grams'])).toBeNull();
  });
});
