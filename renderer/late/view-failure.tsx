import type { ReactElement } from 'react';
import { Centred } from '../parts/display/centred.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { Button } from '../parts/input/button.tsx';
import { useLanguage } from '../texts/texts-context.ts';

/** In place of a view that has failed while it was drawn. */
export const ViewFailure = ({ again }: { readonly again: () => void }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.common.failedView;
  return (
    <main>
      <Centred whole picture={<Icon name="alert" />} title={words.title}>
        <p role="alert">{words.advice}</p>
        <Button onClick={again}>{texts.common.tryAgain}</Button>
      </Centred>
    </main>
  );
};
