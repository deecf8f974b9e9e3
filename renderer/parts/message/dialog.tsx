import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactElement, ReactNode } from 'react';
import { useLanguage } from '../../texts/texts-context.ts';
import { Button } from '../input/button.tsx';
import { DeliberateButton } from '../input/deliberate-button.tsx';
import styles from './dialog.module.css';

interface ConfirmProps {
  readonly open: boolean;
  readonly title: string;
  readonly body: string;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly busy?: boolean;
  readonly children?: ReactNode;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before what can't be undone, inside the window (unfocused popovers hide). */
export const Confirm = ({
  open,
  title,
  body,
  confirm,
  danger = false,
  busy = false,
  children,
  onConfirm,
  onClose,
}: ConfirmProps): ReactElement => {
  const { texts } = useLanguage();
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.backdrop} />
        <AlertDialog.Popup className={styles.popup}>
          <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description className={styles.body}>{body}</AlertDialog.Description>
          {children}
          <div className={styles.actions}>
            {/* Comes first and gets the focus: Enter on a dialog that just opened does nothing. */}
            <AlertDialog.Close render={<Button />}>{texts.common.cancel}</AlertDialog.Close>
            <DeliberateButton look={danger ? 'danger' : 'solid'} disabled={busy} onClick={onConfirm}>
              {confirm}
            </DeliberateButton>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
};
