import type { ReactElement } from 'react';
import { Icon } from '../display/icon.tsx';
import type { Sorting } from './sorting.ts';
import styles from './sort-head.module.css';

interface SortHeadProps<Column extends string> {
  readonly column: Column;
  readonly label: string;
  readonly sorting: Sorting<Column>;
  readonly onSort: (column: Column) => void;
}

/**
 * Head of a column that sorts its table; a second press turns the order round.
 * https://www.w3.org/WAI/ARIA/apg/patterns/table/examples/sortable-table/
 */
export const SortHead = <Column extends string>({
  column,
  label,
  sorting,
  onSort,
}: SortHeadProps<Column>): ReactElement => {
  const isSorted = sorting.column === column;
  return (
    <th scope="col" {...(isSorted ? { 'aria-sort': sorting.direction } : {})}>
      <button type="button" className={styles.head} onClick={() => onSort(column)}>
        {label}
        <span className={styles.arrow} data-direction={isSorted ? sorting.direction : 'none'}>
          <Icon name="chevron" />
        </span>
      </button>
    </th>
  );
};
