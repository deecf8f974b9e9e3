import type { ReactElement } from 'react';
import { Icon } from '../parts/display/icon.tsx';
import { ActionsMenu } from '../parts/input/actions-menu.tsx';
import { Button } from '../parts/input/button.tsx';
import { useNow } from '../state/clock.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useAction } from '../state/use-action.ts';
import { useLanguage } from '../texts/texts-context.ts';

const minute = 60;
/** Hour of the next day at which a pause until tomorrow ends. */
const tomorrowHour = 8;

const tomorrowMs = (nowMs: number): number => {
  const at = new Date(nowMs);
  at.setDate(at.getDate() + 1);
  return at.setHours(tomorrowHour, 0, 0, 0);
};

/** Pauses for a while, or resumes: one press never pauses for ever. */
export const PauseMenu = (): ReactElement => {
  const { texts, format } = useLanguage();
  const words = texts.popover.pause;
  const { pausedUntil } = useSnapshot();
  const pause = useAction('watch.pause');
  const resume = useAction('watch.resume');
  const now = useNow();
  const pauseFor = (seconds: number | null) => (): void => {
    void pause.run({ seconds });
  };
  if (pausedUntil !== null)
    return (
      <Button size="small" onClick={() => void resume.run({})}>
        {texts.popover.resume}
      </Button>
    );
  const until = tomorrowMs(now());
  return (
    <ActionsMenu
      label={words.label}
      icon={<Icon name="pause" />}
      actions={[
        { label: words.quarter, run: pauseFor(15 * minute) },
        { label: words.hour, run: pauseFor(60 * minute) },
        {
          label: words.tomorrow(format.time(until)),
          run: () => {
            pauseFor(Math.round((tomorrowMs(now()) - now()) / 1000))();
          },
        },
        { label: words.forever, run: pauseFor(null) },
      ]}
    />
  );
};
