/** How a table is sorted. */
export interface Sorting<Column extends string> {
  readonly column: Column;
  readonly direction: 'ascending' | 'descending';
}

/** What an item is compared by in a column; null: unknown, which comes last in both directions. */
export type SortKey = string | number | null;

export type SortKeys<Column extends string, Item> = Readonly<Record<Column, (item: Item) => SortKey>>;

/** Orders text as people do, with numbers in it by their value. */
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const compared = (left: string | number, right: string | number): number =>
  typeof left === 'number' && typeof right === 'number' ? left - right : collator.compare(String(left), String(right));

/** Returns the items in order. Equal ones keep their places. */
export const sortedBy = <Column extends string, Item>(
  items: readonly Item[],
  { column, direction }: Sorting<Column>,
  keys: SortKeys<Column, Item>,
): readonly Item[] => {
  const key = keys[column];
  const sign = direction === 'ascending' ? 1 : -1;
  return items.toSorted((left, right) => {
    const [a, b] = [key(left), key(right)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compared(a, b);
  });
};

/** Returns the sorting after a press on a head: the other direction, or a new column's first. */
export const nextSorting = <Column extends string>(
  now: Sorting<Column>,
  column: Column,
  first: Readonly<Record<Column, Sorting<Column>['direction']>>,
): Sorting<Column> => {
  if (now.column !== column) return { column, direction: first[column] };
  return { column, direction: now.direction === 'ascending' ? 'descending' : 'ascending' };
};

/** Returns a sorting as one word, to be remembered. */
export const writeSorting = ({ column, direction }: Sorting<string>): string => `${column} ${direction}`;

/** Returns the sorting that was remembered; null for anything else. */
export const readSorting = <Column extends string>(
  text: string | null,
  columns: readonly Column[],
): Sorting<Column> | null => {
  const [name, direction] = (text ?? '').split(' ');
  const column = columns.find((one) => one === name);
  if (column === undefined || (direction !== 'ascending' && direction !== 'descending')) return null;
  return { column, direction };
};
