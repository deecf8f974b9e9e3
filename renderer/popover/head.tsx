import { useCallback, type ReactElement, type ReactNode } from 'react';
import { Button } from '../parts/input/button.tsx';
import { Spliced } from '../parts/text/spliced.tsx';
import { SteadyAgo } from '../parts/text/times.tsx';
import { useClock } from '../state/clock.ts';
import { useSnapshot } from '../state/store-context.ts';
import { useAction } from '../state/use-action.ts';
import { useClaims } from '../state/use-claims.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { countsLine, headline } from './claim-words.ts';
import styles from './head.module.css';
import { PauseMenu } from './pause-menu.tsx';

interface HeadProps {
  /** Before the menu to pause. */
  readonly children?: ReactNode;
}

/** One sentence of state, the counts beside it, the time of the last check, and pause. */
export const Head = ({ children }: HeadProps): ReactElement => {
  const language = useLanguage();
  const { texts, format } = language;
  const words = texts.popover;
  const { health } = useSnapshot();
  const claims = useClaims();
  const look = useAction('watch.look');
  const lookedMs = health.lastLookAt === null ? null : Date.parse(health.lastLookAt);
  const lookedAgo = useClock(
    useCallback(
      (nowMs: number) => (lookedMs === null ? '' : format.ago((nowMs - lookedMs) / 1000)),
      [format, lookedMs],
    ),
  );
  const counts = countsLine(claims, language);
  return (
    <header className={styles.head}>
      <div className={styles.words}>
        <h1 className={styles.sentence}>{headline(claims, lookedAgo, language)}</h1>
        <ul className={styles.sub}>
          {claims.current ? counts.map((count) => <li key={count}>{count}</li>) : null}
          {/* When it was checked and the button to check stay together where the line is too long. */}
          <li className={styles.checked}>
            {health.lastLookAt === null ? null : (
              <span>
                <Spliced text={claims.current ? words.looked : words.lastState}>
                  <SteadyAgo at={health.lastLookAt} />
                </Spliced>
              </span>
            )}
            <Button look="link" className={styles.check} aria-disabled={look.busy} onClick={() => void look.run({})}>
              {words.checkNow}
            </Button>
          </li>
        </ul>
      </div>
      {children}
      <PauseMenu />
    </header>
  );
};
