import { Switch as Base } from '@base-ui/react/switch';
import type { ReactElement } from 'react';
import styles from './switch.module.css';

interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Its name for screen readers; use `labelledBy` if visible words name it. */
  readonly label?: string;
  readonly labelledBy?: string;
  readonly describedBy?: string;
  readonly title?: string;
  readonly disabled?: boolean;
}

/** A switch that takes effect at once. */
export const Switch = ({
  checked,
  onChange,
  label,
  labelledBy,
  describedBy,
  title,
  disabled = false,
}: SwitchProps): ReactElement => (
  <Base.Root
    className={styles.switch}
    checked={checked}
    disabled={disabled}
    onCheckedChange={onChange}
    {...(label === undefined ? {} : { 'aria-label': label })}
    {...(labelledBy === undefined ? {} : { 'aria-labelledby': labelledBy })}
    {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
    {...(title === undefined ? {} : { title })}
  >
    <Base.Thumb className={styles.thumb} />
  </Base.Root>
);
