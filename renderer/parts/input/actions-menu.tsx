import { Menu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './choice.module.css';
import menu from './actions-menu.module.css';
import { Button } from './button.tsx';
import { Icon } from '../display/icon.tsx';

export interface MenuAction {
  readonly label: string;
  readonly run: () => void;
  readonly disabled?: boolean;
}

interface ActionsMenuProps {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly disabled?: boolean;
  readonly size?: 'normal' | 'small';
  /** Before the label. */
  readonly icon?: ReactNode;
}

/** A button that opens a menu of actions. */
export const ActionsMenu = ({
  label,
  actions,
  disabled = false,
  size = 'small',
  icon,
}: ActionsMenuProps): ReactElement => (
  <Menu.Root>
    <Menu.Trigger disabled={disabled} render={<Button size={size} className={menu.trigger} />}>
      {icon}
      {label}
      <Icon name="chevron" />
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner className={styles.positioner} sideOffset={4} align="start">
        <Menu.Popup className={styles.popup}>
          {actions.map((action) => (
            <Menu.Item
              key={action.label}
              className={`${styles.item} ${menu.item}`}
              disabled={action.disabled === true}
              onClick={action.run}
            >
              {action.label}
            </Menu.Item>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
);
