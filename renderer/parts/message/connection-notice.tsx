import type { ReactElement } from 'react';
import { pageSays } from '../../bridge/page-says.ts';
import { useKnown, useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { Notice } from '../display/notice.tsx';
import { Spliced } from '../text/spliced.tsx';
import { AtTime } from '../text/times.tsx';

/** Says that the state is old, since when, and what is done about it. Empty if connected. */
export const ConnectionNotice = (): ReactElement | null => {
  const { texts, voice } = useLanguage();
  const { connection } = useKnown();
  const { at } = useSnapshot();
  if (connection === 'connected' || connection === 'connecting') return null;
  const words =
    connection === 'signed-out'
      ? { state: texts.common.page.signedOutSince, advice: voice.said(pageSays.signedOutAdvice) }
      : { state: texts.popover.offline, advice: texts.popover.offlineTrying };
  return (
    <Notice tone="amber" icon="offline" live="polite">
      <p>
        <Spliced text={words.state}>
          <AtTime at={at} />
        </Spliced>
      </p>
      <p>{words.advice}</p>
    </Notice>
  );
};
