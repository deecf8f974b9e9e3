import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useState, type KeyboardEvent, type ReactElement, type RefObject } from 'react';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { useLanguage } from '../texts/texts-context.ts';
import { IncidentRow, rowHeight } from './incident-row.tsx';
import styles from './incident-list.module.css';
import type { Pages } from './use-pages.ts';

interface IncidentListProps {
  /** Where the rows scroll. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly pages: Pages;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

/**
 * A virtual list: a listbox that reports its full length and renders only visible rows. Arrows,
 * Page, Home and End move the selection, Enter opens.
 */
export const IncidentList = ({ box, pages, selected, onSelect }: IncidentListProps): ReactElement => {
  const { texts } = useLanguage();
  const { total, failure, row, want, again } = pages;
  const id = useId();
  const [active, setActive] = useState(0);
  const count = total ?? 0;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (count > 0) want(first, last);
  });
  const move = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -count,
      End: count,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.min(count - 1, Math.max(0, active + step));
      setActive(next);
      virtual.scrollToIndex(next, { align: 'auto' });
      return;
    }
    const incident = row(active);
    if ((event.key === 'Enter' || event.key === ' ') && incident !== null) {
      event.preventDefault();
      onSelect(incident.id);
    }
  };
  const activeShown = active >= first && active <= last;
  return (
    <>
      <FailureNote failure={failure} again={again} />
      <div
        ref={box}
        className={styles.box}
        role="listbox"
        tabIndex={0}
        aria-label={texts.history.list}
        aria-busy={total === null}
        aria-activedescendant={activeShown && count > 0 ? `${id}-${active}` : undefined}
        onKeyDown={move}
      >
        <div role="presentation" className={styles.all} style={{ blockSize: `${virtual.getTotalSize()}px` }}>
          {items.map((item) => {
            const incident = row(item.index);
            return (
              <IncidentRow
                key={item.key}
                id={`${id}-${item.index}`}
                incident={incident}
                index={item.index}
                count={count}
                top={item.start}
                active={item.index === active}
                selected={incident !== null && incident.id === selected}
                onPress={() => {
                  setActive(item.index);
                  if (incident !== null) onSelect(incident.id);
                }}
              />
            );
          })}
        </div>
      </div>
    </>
  );
};
