import type { ReactElement } from 'react';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './view-switch.module.css';

export type JobsView = 'cards' | 'table';

const all: readonly JobsView[] = ['cards', 'table'];

interface ViewSwitchProps {
  readonly view: JobsView;
  readonly onChange: (view: JobsView) => void;
}

/** Chooses between cards and a table; only a wide page has room for both. */
export const ViewSwitch = ({ view, onChange }: ViewSwitchProps): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover.table;
  return (
    <div className={styles.views} role="group" aria-label={words.views}>
      {all.map((one) => (
        <button
          key={one}
          type="button"
          className={styles.view}
          aria-pressed={one === view}
          onClick={() => onChange(one)}
        >
          {words.view[one]}
        </button>
      ))}
    </div>
  );
};
