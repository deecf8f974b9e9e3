import { useEffect, useState, type ReactElement } from 'react';
import type { Autostart } from '../../app/contract/app-questions.ts';
import { SwitchRow } from '../parts/input/switch-row.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { useAction } from '../state/use-action.ts';
import { useAnswer } from '../state/use-answer.ts';
import { useLanguage } from '../texts/texts-context.ts';

/** The switch that starts Curfew at login. It holds at once. */
export const AutostartRow = (): ReactElement => {
  const { texts, voice } = useLanguage();
  const asked = useAnswer('autostart.status', {});
  const set = useAction('autostart.set');
  const [autostart, keep] = useState<Autostart | null>(null);
  useEffect(() => keep(asked.value), [asked.value]);
  return (
    <>
      <SwitchRow
        label={texts.settings.general.autostart}
        {...(autostart === null ? {} : { body: voice.said(autostart.text) })}
        checked={autostart?.state === 'enabled'}
        disabled={autostart === null || autostart.state === 'unsupported' || set.busy}
        onChange={(enabled) =>
          void set.run({ enabled }).then((now) => {
            if (now !== null) keep(now);
          })
        }
      />
      <FailureNote failure={asked.failure ?? set.failure} />
    </>
  );
};
