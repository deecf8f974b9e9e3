import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useState, type ReactElement } from 'react';
import type { Failure } from '../../app/contract/answer.ts';
import { Icon } from '../parts/display/icon.tsx';
import dialog from '../parts/message/dialog.module.css';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { useNow } from '../state/clock.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useFrozen } from '../state/use-frozen.ts';
import { offeredActions } from '../state/view-actions.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { paletteCommands, type Command, type CommandAction, type CommandGroup } from './commands.ts';
import styles from './palette.module.css';

interface PaletteProps {
  readonly open: boolean;
  /** Does what was chosen; a failure keeps the palette open and is shown in it. */
  readonly act: (action: CommandAction) => Promise<Failure | null>;
  /** `chosen`: what was done; null: it was left. */
  readonly onClose: (chosen: Command | null) => void;
  /** Puts the focus where it belongs after the palette has closed. */
  readonly giveBack: () => void;
}

const Line = ({ command, choose }: { readonly command: Command; readonly choose: () => void }): ReactElement => (
  <Autocomplete.Item value={command} className={styles.item} onClick={choose}>
    <span className={styles.label}>{command.label}</span>
    {command.hint === '' ? null : <span className={styles.hint}>{command.hint}</span>}
  </Autocomplete.Item>
);

/** Everything that can be done and opened, found by typing. */
export const Palette = ({ open, act, onClose, giveBack }: PaletteProps): ReactElement => {
  const language = useLanguage();
  const words = language.texts.palette;
  // As it was when this opened: the marked place would take another command as a job ends above it.
  const snapshot = useFrozen(useSnapshot(), open);
  const now = useNow();
  const [query, setQuery] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const groups = open ? paletteCommands({ snapshot, views: offeredActions(), nowMs: now(), language }, query) : [];
  const close = (chosen: Command | null): void => {
    setQuery('');
    setFailure(null);
    onClose(chosen);
  };
  const choose = (command: Command) => (): void => {
    setFailure(null);
    void act(command.action).then((failed) => {
      if (failed === null) close(command);
      else setFailure(failed);
    });
  };
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) close(null);
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Popup
          className={styles.palette}
          aria-label={words.title}
          finalFocus={() => {
            // The dialog would choose the first button of the page.
            requestAnimationFrame(giveBack);
            return false;
          }}
        >
          <Autocomplete.Root
            open
            inline
            mode="none"
            items={groups}
            value={query}
            onValueChange={setQuery}
            itemToStringValue={(command: Command) => command.label}
            autoHighlight="always"
            keepHighlight
          >
            <div className={styles.field}>
              <Icon name="search" />
              <Autocomplete.Input className={styles.input} aria-label={words.search} placeholder={words.search} />
            </div>
            <FailureNote failure={failure} />
            <Autocomplete.Empty className={styles.none}>{groups.length === 0 ? words.none : null}</Autocomplete.Empty>
            <Autocomplete.List className={styles.list} aria-label={words.title}>
              {(group: CommandGroup) => (
                <Autocomplete.Group key={group.value} items={group.items} className={styles.group}>
                  <Autocomplete.GroupLabel className={styles.heading}>{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => <Line key={command.id} command={command} choose={choose(command)} />}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <Dialog.Close className="visually-hidden">{language.texts.common.close}</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
