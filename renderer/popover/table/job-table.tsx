import { useEffect, useMemo, useState, type ReactElement } from 'react';
import { SortHead } from '../../parts/table/sort-head.tsx';
import { sortedBy } from '../../parts/table/sorting.ts';
import { useSorting } from '../../parts/table/use-sorting.ts';
import { Button } from '../../parts/input/button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { useSteadyList } from '../../state/steady-list.ts';
import { useUsage } from '../../state/use-usage.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import type { JobGroups } from '../card/groups.ts';
import { useHeld } from '../card/use-held.ts';
import { LeftoversBar } from '../leftovers/leftovers-bar.tsx';
import { useGrowing } from '../../state/use-growing.ts';
import { firstDirection, jobLines, sortKeys, type JobColumn, type JobLine } from './job-lines.ts';
import { JobTableRow } from './job-table-row.tsx';
import styles from './job-table.module.css';

const columns = Object.keys(firstDirection) as readonly JobColumn[];

/** Rows at first; more on demand. */
const firstRows = 50;

/** All jobs are in the table: none is elsewhere. */
const notElsewhere = (): undefined => undefined;

/** A row whose job has ended while the list was held keeps its place, and offers nothing. */
const ended = (line: JobLine): JobLine => ({ ...line, job: null });

interface JobTableProps {
  readonly groups: JobGroups;
  /** The job whose card is to be shown; null: none. */
  readonly focus: string | null;
  readonly searching: boolean;
}

/** All jobs in a table to sort. Rows hold still while pointer or focus is among them. */
export const JobTable = ({ groups, focus, searching }: JobTableProps): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover.table;
  const { sorting, onSort } = useSorting('jobs', 'state', firstDirection);
  const { held, handlers } = useHeld();
  const [open, setOpen] = useState<string | null>(focus);
  const lines = useMemo(() => sortedBy(jobLines(groups), sorting, sortKeys), [groups, sorting]);
  const steady = useSteadyList(lines, held, notElsewhere);
  const growing = useGrowing(steady.length, firstRows);
  const shown = steady.slice(0, growing.shown).map(({ item, gone }) => (gone ? ended(item) : item));
  const { of, failure } = useUsage(shown);
  useEffect(() => {
    if (focus === null) return;
    setOpen(focus);
  }, [focus]);
  useEffect(() => {
    if (focus !== null) document.querySelector<HTMLElement>(`#job-${CSS.escape(focus)}`)?.focus();
  }, [focus]);
  return (
    <section>
      <h2 className="visually-hidden">{words.title}</h2>
      {searching ? null : <LeftoversBar held={held} />}
      <FailureNote failure={failure} />
      <div className={styles.box}>
        <table className={styles.table} aria-label={words.title}>
          <thead>
            <tr>
              <td />
              {columns.map((column) => (
                <SortHead key={column} column={column} label={words.column[column]} sorting={sorting} onSort={onSort} />
              ))}
              <th scope="col">
                <span className="visually-hidden">{words.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody {...handlers}>
            {shown.map((line) => (
              <JobTableRow
                key={`${line.host} ${line.id}`}
                line={line}
                usage={of(line)}
                open={open === line.id}
                onOpen={(next) => setOpen(next ? line.id : null)}
                columns={columns.length + 2}
              />
            ))}
          </tbody>
        </table>
      </div>
      {growing.left === 0 ? null : (
        <Button look="plain" size="small" onClick={growing.grow}>
          {texts.popover.showMore(growing.left)}
        </Button>
      )}
    </section>
  );
};
