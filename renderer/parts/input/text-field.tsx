import { Field } from '@base-ui/react/field';
import type { ReactElement } from 'react';
import styles from './text-field.module.css';

interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Why the value is refused; null or absent if it is valid. */
  readonly problem?: string | null;
  readonly placeholder?: string;
  /** Has several lines. */
  readonly rows?: number;
  readonly mono?: boolean;
  readonly width?: 'short' | 'full';
  readonly onKeyDown?: (event: React.KeyboardEvent) => void;
}

/** A text field with its label, the allowed values, and the reason for a refusal. */
export const TextField = ({
  label,
  hint,
  value,
  onChange,
  problem = null,
  placeholder,
  rows,
  mono = false,
  width = 'full',
  onKeyDown,
}: TextFieldProps): ReactElement => (
  <Field.Root className={styles.field} invalid={problem !== null}>
    <Field.Label className={styles.label}>{label}</Field.Label>
    <Field.Control
      className={`${styles.input} ${mono ? styles.mono : ''} ${styles[width]}`}
      value={value}
      onValueChange={onChange}
      spellCheck={false}
      autoComplete="off"
      {...(onKeyDown === undefined ? {} : { onKeyDown })}
      {...(placeholder === undefined ? {} : { placeholder })}
      {...(rows === undefined ? {} : { render: <textarea rows={rows} /> })}
    />
    {/* A problem takes the place of the hint, so that no field around it moves. */}
    <div className={styles.below}>
      {hint === undefined ? null : (
        <Field.Description className={styles.hint} data-replaced={problem !== null}>
          {hint}
        </Field.Description>
      )}
      <Field.Error className={styles.problem} match={problem !== null} role="alert">
        {problem}
      </Field.Error>
    </div>
  </Field.Root>
);
