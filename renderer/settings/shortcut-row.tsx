import type { ReactElement } from 'react';
import { shortcutKeys } from '../../app/format/shortcut-keys.ts';
import { settingRows } from '../../app/settings/registry.ts';
import { Choice } from '../parts/input/choice.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { Notice } from '../parts/display/notice.tsx';
import { Row } from '../parts/display/section.tsx';
import { useAction } from '../state/use-action.ts';
import { useAnswer } from '../state/use-answer.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';

/** The shortcut that opens the popover, and whether the system gave it. It holds at once. */
export const ShortcutRow = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.shortcut;
  const { platform, settings } = useSnapshot();
  const { shortcut } = settings.values;
  const change = useAction('settings.change');
  const status = useAnswer('shortcut.status', {}, shortcut);
  const keys = (accelerator: string): string => shortcutKeys(accelerator, platform.system === 'darwin');
  return (
    <>
      <Row label={words.label} body={words.body}>
        <Choice
          label={words.label}
          value={shortcut}
          options={settingRows.shortcut.choices.map((value) => ({
            value,
            label: value === 'off' ? words.off : keys(value),
          }))}
          onChange={(chosen) => void change.run({ changes: { shortcut: chosen } })}
        />
      </Row>
      {status.value?.state === 'taken' ? (
        <Notice tone="red" icon="alert" live="assertive">
          <p>{words.taken(keys(shortcut))}</p>
        </Notice>
      ) : null}
      <FailureNote failure={change.failure ?? status.failure} />
    </>
  );
};
