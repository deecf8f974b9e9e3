import { useState, type ReactElement } from 'react';
import { ActionsMenu } from '../parts/input/actions-menu.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { useAction } from '../state/use-action.ts';
import { useLanguage } from '../texts/texts-context.ts';
import type { FilterInput } from './filter.ts';
import styles from './export-menu.module.css';

/** Exports the matching incidents as CSV or JSON, and says where they went. */
export const ExportMenu = ({ filter }: { readonly filter: FilterInput }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.history;
  const save = useAction('history.export');
  const [told, setTold] = useState<string | null>(null);
  const run = (format: 'csv' | 'json') => (): void => {
    setTold(null);
    void save.run({ filter, format }).then((exported) => {
      if (exported === null) return;
      const count = words.total(exported.incidents);
      if (exported.kind === 'download') window.location.assign(exported.url);
      setTold(exported.kind === 'file' ? words.exported(count, exported.path) : words.downloaded(count));
    });
  };
  return (
    <span className={styles.export}>
      <ActionsMenu
        size="normal"
        label={words.export}
        actions={[
          { label: words.exportCsv, run: run('csv') },
          { label: words.exportJson, run: run('json') },
        ]}
      />
      <span role="status" className={styles.told}>
        {told}
      </span>
      <FailureNote failure={save.failure} />
    </span>
  );
};
