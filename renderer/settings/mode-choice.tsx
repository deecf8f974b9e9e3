import type { ReactElement } from 'react';
import { CardChoice } from '../parts/card-choice.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { useAction } from '../state/use-action.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';

/** Enforce or observe; nothing is marked while nothing was chosen. */
export const ModeChoice = (): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.settings.general;
  const { mode, modeChosen } = useSnapshot();
  const choose = useAction('mode.set');
  return (
    <>
      <CardChoice
        label={words.mode}
        value={modeChosen ? mode : null}
        onChange={(value) => void choose.run({ mode: value })}
        choices={[
          { value: 'enforce', title: words.enforce, body: words.enforceBody },
          { value: 'observe', title: words.observe, body: words.observeBody },
        ]}
      />
      {modeChosen ? null : <p>{words.modeUnset}</p>}
      <FailureNote failure={choose.failure} />
    </>
  );
};
