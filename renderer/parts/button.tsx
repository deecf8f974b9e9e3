import type { ButtonHTMLAttributes, KeyboardEvent, ReactElement } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'solid' | 'outline' | 'plain' | 'danger' | 'link';
  readonly size?: 'normal' | 'small';
  /** A press of the key that began on another control and is only repeated here does nothing: set where a press ends processes. */
  readonly deliberate?: boolean;
}

const refuseRepeats = (event: KeyboardEvent): void => {
  if (event.repeat) event.preventDefault();
};

/** A button in one of the looks of the interface. */
export const Button = ({
  look = 'outline',
  size = 'normal',
  deliberate = false,
  className,
  ...rest
}: ButtonProps): ReactElement => (
  <button
    type="button"
    {...rest}
    {...(deliberate ? { onKeyDown: refuseRepeats } : {})}
    className={[styles.button, styles[look], styles[size], className].filter(Boolean).join(' ')}
  />
);
