import { Collapsible } from '@base-ui/react/collapsible';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../../parts/input/button.tsx';
import styles from './rules.module.css';

interface DisclosureProps {
  readonly title: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly children: ReactNode;
}

/** A form that is hidden until the user opens it. */
export const Disclosure = ({ title, open, onOpenChange, children }: DisclosureProps): ReactElement => (
  <Collapsible.Root className={styles.disclosure} open={open} onOpenChange={onOpenChange}>
    <Collapsible.Trigger render={<Button size="small" />}>{title}</Collapsible.Trigger>
    <Collapsible.Panel className={styles.form}>{children}</Collapsible.Panel>
  </Collapsible.Root>
);
