import { useEffect, type ReactElement } from 'react';
import { Centred } from '../parts/display/centred.tsx';
import { Icon } from '../parts/display/icon.tsx';
import { Button } from '../parts/input/button.tsx';
import { useKnown } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';

const reloadedKey = 'curfew-reloaded-at';
/** A page reloads by itself at most this often, milliseconds. */
const minBetweenReloadsMs = 60_000;
/** From a failure to the next try while Curfew can be reached, milliseconds. */
const againMs = 1000;

/**
 * Reloads the page unless it did so within the last minute. After an upgrade the files that the
 * open page names are gone; and Chromium answers an import that failed once from its memory.
 */
const reloadOnce = (): void => {
  const last = Number(window.sessionStorage.getItem(reloadedKey) ?? 0);
  const now = Date.now();
  if (now - last < minBetweenReloadsMs) return;
  window.sessionStorage.setItem(reloadedKey, String(now));
  window.location.reload();
};

/** Where a late view stands: it is all of the window, a part of a view, or opens above one. */
export type LatePlace = 'view' | 'part' | 'above';

interface LateFailureProps {
  readonly place: LatePlace;
  /** Failures of this view so far. */
  readonly failures: number;
  readonly again: () => void;
}

/**
 * In place of a view that could not be loaded. Tries again as soon as Curfew can be reached, and
 * reloads the page, once, where that did not help.
 */
export const LateFailure = ({ place, failures, again }: LateFailureProps): ReactElement => {
  const { texts } = useLanguage();
  const { connection } = useKnown();
  const words = texts.common.late;
  useEffect(() => {
    if (connection !== 'connected') return undefined;
    const timer = setTimeout(failures === 1 ? again : reloadOnce, againMs);
    return () => clearTimeout(timer);
  }, [connection, failures, again]);
  const Frame = place === 'view' ? 'main' : 'div';
  return (
    <Frame>
      <Centred whole={place === 'view'} picture={<Icon name="alert" />} title={words.title}>
        <p role="status">{connection === 'connected' ? words.advice : words.away}</p>
        <Button onClick={() => window.location.reload()}>{words.reload}</Button>
      </Centred>
    </Frame>
  );
};
