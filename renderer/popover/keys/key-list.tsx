import { Dialog } from '@base-ui/react/dialog';
import type { ReactElement, RefObject } from 'react';
import dialog from '../../parts/message/dialog.module.css';
import { Button } from '../../parts/input/button.tsx';
import { isMac } from '../../state/is-mac.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './keys.module.css';

interface KeyListProps {
  readonly open: boolean;
  /** Where the focus goes when it closes: where it was. */
  readonly back: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

const keys = {
  next: ['j'],
  previous: ['k'],
  more: ['Enter'],
  end: ['e'],
  keep: ['Shift', 'K'],
  choose: ['x'],
  chosen: ['Shift', 'E'],
  search: ['/'],
  palette: ['Ctrl', 'K'],
  leave: ['Esc'],
  help: ['?'],
} as const;

/** The keys of the job list. */
export const KeyList = ({ open, back, onClose }: KeyListProps): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover.keys;
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Popup
          className={dialog.popup}
          finalFocus={() => {
            // The dialog would choose the first button in a card.
            requestAnimationFrame(() => back.current?.focus());
            return false;
          }}
        >
          <Dialog.Title className={dialog.title}>{words.title}</Dialog.Title>
          <dl className={styles.keys}>
            {(Object.keys(keys) as (keyof typeof keys)[]).map((name) => (
              <div key={name}>
                <dt>
                  {keys[name].map((key) => (
                    <kbd key={key}>{key === 'Ctrl' && isMac() ? '⌘' : key}</kbd>
                  ))}
                </dt>
                <dd>{words[name]}</dd>
              </div>
            ))}
          </dl>
          <div className={dialog.actions}>
            <Dialog.Close render={<Button />}>{texts.common.close}</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
