import type { ReactElement } from 'react';
import { CardChoice } from '../parts/input/card-choice.tsx';
import { EnforceConfirm } from '../parts/message/enforce-confirm.tsx';
import { FailureNote } from '../parts/message/failure-note.tsx';
import { useModeChange } from '../state/use-mode-change.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';

/** Enforce or observe; nothing is marked while nothing was chosen. */
export const ModeChoice = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.general;
  const { mode, modeChosen } = useSnapshot();
  const change = useModeChange();
  return (
    <>
      <CardChoice
        label={words.mode}
        value={modeChosen ? mode : null}
        onChange={change.choose}
        choices={[
          { value: 'enforce', title: texts.common.mode.enforce, body: words.enforceBody },
          { value: 'observe', title: texts.common.mode.observe, body: words.observeBody },
        ]}
      />
      {modeChosen ? null : <p>{words.modeUnset}</p>}
      <FailureNote failure={change.failure} />
      <EnforceConfirm ended={change.ended} busy={change.busy} onConfirm={change.confirm} onClose={change.cancel} />
    </>
  );
};
