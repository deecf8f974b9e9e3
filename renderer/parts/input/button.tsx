import type { ButtonHTMLAttributes, ReactElement } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'solid' | 'outline' | 'plain' | 'danger' | 'link';
  readonly size?: 'normal' | 'small';
}

/** A button in one of the styles of the interface. */
export const Button = ({ look = 'outline', size = 'normal', className, ...rest }: ButtonProps): ReactElement => (
  <button
    type="button"
    {...rest}
    className={[styles.button, styles[look], styles[size], className].filter(Boolean).join(' ')}
  />
);
