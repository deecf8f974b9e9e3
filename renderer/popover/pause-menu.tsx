import type { ReactElement } from 'react';
import { Icon } from '../parts/display/icon.tsx';
import { ActionsMenu } from '../parts/input/actions-menu.tsx';
import { Button } from '../parts/input/button.tsx';
import { useNow } from '../state/clock.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useAction } from '../state/use-action.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { pauseLengths } from './pause-lengths.ts';

/** Pauses for a while, or resumes: one press never pauses for ever. */
export const PauseMenu = (): ReactElement => {
  const language = useLanguage();
  const { texts } = language;
  const { pausedUntil } = useSnapshot();
  const pause = useAction('watch.pause');
  const resume = useAction('watch.resume');
  const now = useNow();
  if (pausedUntil !== null)
    return (
      <Button size="small" aria-disabled={resume.busy} onClick={() => void resume.run({})}>
        {texts.popover.resume}
      </Button>
    );
  return (
    <ActionsMenu
      label={texts.popover.pause.label}
      disabled={pause.busy}
      icon={<Icon name="pause" />}
      actions={pauseLengths(now(), language).map(({ label }, index) => ({
        label,
        // Counted from the press, which may come long after the menu was drawn.
        run: () => void pause.run({ seconds: pauseLengths(now(), language)[index]?.seconds ?? null }),
      }))}
    />
  );
};
