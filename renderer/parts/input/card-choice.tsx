import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import type { ReactElement } from 'react';
import styles from './card-choice.module.css';

interface CardChoiceProps<Value extends string> {
  readonly label: string;
  /** null: nothing is chosen yet. */
  readonly value: Value | null;
  readonly choices: readonly { readonly value: Value; readonly title: string; readonly body: string }[];
  readonly onChange: (value: Value) => void;
}

/** A choice between a few options with a sentence each. */
export const CardChoice = <Value extends string>({
  label,
  value,
  choices,
  onChange,
}: CardChoiceProps<Value>): ReactElement => (
  <RadioGroup<Value | null>
    className={styles.choices}
    aria-label={label}
    // null is "nothing chosen"; without a value the group would become uncontrolled:
    // https://base-ui.com/react/components/radio-group
    value={value}
    onValueChange={(next) => {
      if (next !== null) onChange(next);
    }}
  >
    {choices.map((choice) => (
      <label key={choice.value} className={styles.choice} data-chosen={value === choice.value}>
        <Radio.Root className={styles.radio} value={choice.value}>
          <Radio.Indicator className={styles.dot} />
        </Radio.Root>
        <span>
          <span className={styles.title}>{choice.title}</span>
          <span className={styles.body}>{choice.body}</span>
        </span>
      </label>
    ))}
  </RadioGroup>
);
