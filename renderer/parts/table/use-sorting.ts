import { useMemo } from 'react';
import { useRemembered } from '../../state/remembered.ts';
import { nextSorting, readSorting, writeSorting, type Sorting } from './sorting.ts';

export interface ChosenSorting<Column extends string> {
  readonly sorting: Sorting<Column>;
  readonly onSort: (column: Column) => void;
}

/**
 * Returns the sorting of a table, remembered under a name.
 * @param first the direction of each column when it is chosen
 */
export const useSorting = <Column extends string>(
  name: string,
  initial: NoInfer<Column>,
  first: Readonly<Record<Column, Sorting<Column>['direction']>>,
): ChosenSorting<Column> => {
  const [kept, setKept] = useRemembered(`sorting.${name}`);
  const sorting = useMemo(
    () => readSorting(kept, Object.keys(first) as Column[]) ?? { column: initial, direction: first[initial] },
    [kept, first, initial],
  );
  return {
    sorting,
    onSort: (column) => setKept(writeSorting(nextSorting(sorting, column, first))),
  };
};
