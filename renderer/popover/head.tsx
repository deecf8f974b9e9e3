import type { ReactElement } from 'react';
import { Spliced } from '../parts/text/spliced.tsx';
import { Switch } from '../parts/input/switch.tsx';
import { Ago } from '../parts/text/times.tsx';
import { useAction } from '../state/use-action.ts';
import { useKnown, useSnapshot } from '../state/store-context.ts';
import { useLanguage } from '../texts/texts-context.ts';
import type { JobGroups } from './card/groups.ts';
import styles from './head.module.css';

/** One sentence of state, the time of the last scan, and the switch for pause. */
export const Head = ({ groups }: { readonly groups: JobGroups }): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover;
  const { connection } = useKnown();
  const { jobs, health, pausedUntil } = useSnapshot();
  const pause = useAction('watch.pause');
  const resume = useAction('watch.resume');
  const needing = groups.look.filter((item) => item.job !== null).length;
  const watching = pausedUntil === null;
  const sentence =
    needing > 0
      ? words.needLook(needing)
      : jobs.length > 0
        ? words.allWell(jobs.length)
        : connection === 'lost'
          ? words.unwatched
          : words.nothing;
  return (
    <header className={styles.head}>
      <div className={styles.words}>
        <h1 className={styles.sentence}>{watching ? sentence : `${words.paused} · ${sentence}`}</h1>
        <p className={styles.sub}>
          {needing > 0 ? `${words.subRunning(jobs.length, groups.kept.length)} · ` : null}
          {health.lastLookAt === null ? (
            words.notLooked
          ) : (
            <Spliced text={words.looked}>
              <Ago at={health.lastLookAt} />
            </Spliced>
          )}
        </p>
      </div>
      <Switch
        label={words.watching}
        title={watching ? words.watchingOn : words.watchingOff}
        checked={watching}
        disabled={pause.busy || resume.busy}
        onChange={(on) => void (on ? resume.run({}) : pause.run({ seconds: null }))}
      />
    </header>
  );
};
