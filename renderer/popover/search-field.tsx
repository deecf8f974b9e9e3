import type { ReactElement, Ref } from 'react';
import { Icon } from '../parts/display/icon.tsx';
import { useLanguage } from '../texts/texts-context.ts';
import styles from './search-field.module.css';

interface SearchFieldProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly query: string;
  readonly onChange: (query: string) => void;
}

/** Finds jobs by command, project, agent, port or process id. */
export const SearchField = ({ ref, query, onChange }: SearchFieldProps): ReactElement => {
  const { texts } = useLanguage();
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        ref={ref}
        type="search"
        className={styles.field}
        value={query}
        aria-label={texts.popover.search}
        placeholder={texts.popover.search}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
};
