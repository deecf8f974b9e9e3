import { Select } from '@base-ui/react/select';
import type { ReactElement } from 'react';
import styles from './choice.module.css';
import { Icon } from '../display/icon.tsx';

/** One of the values of a `Choice`. */
export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value) => void;
  readonly describedBy?: string;
  readonly id?: string;
}

/** A choice of one value from a list that opens. */
export const Choice = <Value extends string>({
  label,
  value,
  options,
  onChange,
  describedBy,
  id,
}: ChoiceProps<Value>): ReactElement => (
  <Select.Root
    items={options}
    value={value}
    onValueChange={(next) => {
      if (next !== null) onChange(next);
    }}
  >
    <Select.Trigger
      className={styles.trigger}
      aria-label={label}
      {...(id === undefined ? {} : { id })}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
    >
      <span className={styles.value}>
        <Select.Value />
      </span>
      <Select.Icon className={styles.icon}>
        <Icon name="chevron" />
      </Select.Icon>
    </Select.Trigger>
    <Select.Portal>
      <Select.Positioner className={styles.positioner} sideOffset={4} alignItemWithTrigger={false}>
        <Select.Popup className={styles.popup} aria-label={label}>
          <Select.List className={styles.list}>
            {options.map((option) => (
              <Select.Item key={option.value} value={option.value} className={styles.item}>
                <Select.ItemIndicator className={styles.indicator}>
                  <Icon name="check" />
                </Select.ItemIndicator>
                <Select.ItemText className={styles.text}>{option.label}</Select.ItemText>
              </Select.Item>
            ))}
          </Select.List>
        </Select.Popup>
      </Select.Positioner>
    </Select.Portal>
  </Select.Root>
);
