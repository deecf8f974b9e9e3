import type { ReactElement } from 'react';
import { keepSeconds } from '../../../app/contract/asked.ts';
import { isProbable, canKeep } from '../../../app/contract/claims/claims.ts';
import type { ReapingView } from '../../../app/contract/views/reaping-view.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { Button } from '../../parts/input/button.tsx';
import { DeliberateButton } from '../../parts/input/deliberate-button.tsx';
import { FailureNote } from '../../parts/message/failure-note.tsx';
import { Spliced } from '../../parts/text/spliced.tsx';
import { AtTime } from '../../parts/text/times.tsx';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useAction } from '../../state/use-action.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import styles from './job-card.module.css';
import { useSaidMine } from '../../parts/message/said-mine.tsx';

interface CardActionsProps {
  readonly job: SnapshotJob;
  readonly reaping: ReapingView | null;
  /** Left out in a row, which says and opens it itself. */
  readonly card?: {
    /** Time until it ends automatically; null: it doesn't, or not soon. */
    readonly countdown: string | null;
    readonly open: boolean;
    readonly onToggle: () => void;
    readonly detailsId: string;
  };
}

/** End, Keep, or “It’s mine” for what is only probable; More; during an ending: Don't wait. */
export const CardActions = ({ job, reaping, card }: CardActionsProps): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover;
  const { platform } = useSnapshot();
  const reap = useAction('job.reap');
  const killNow = useAction('job.killNow');
  const keep = useAction('job.keep');
  const unkeep = useAction('job.unkeep');
  const mine = useAction('job.mine');
  const { say } = useSaidMine();
  const probable = isProbable(job);
  const name = visibleText(job.command).slice(0, 120);
  const going = reaping !== null && reaping.phase !== 'ended';
  const keptUntil = job.verdict.state === 'kept' ? job.keptUntil : null;
  const target = { job: job.id, host: job.host };
  return (
    <>
      <div className={card === undefined ? styles.rowActions : styles.actions}>
        {going && reaping.phase !== 'killing' ? (
          <DeliberateButton
            size="small"
            aria-disabled={killNow.busy}
            aria-label={words.reaping.nowName(name)}
            onClick={() => void killNow.run({ reaping: reaping.id })}
          >
            {words.reaping.now}
          </DeliberateButton>
        ) : null}
        {going || !platform.canReap || job.verdict.state === 'protected' ? null : (
          <DeliberateButton
            look={card === undefined ? 'outline' : 'solid'}
            size="small"
            data-act="end"
            aria-disabled={reap.busy}
            aria-label={words.reapName(name, texts.common.processes(job.members.length))}
            onClick={() => void reap.run(target)}
          >
            {words.reapCount(card === undefined ? 1 : job.members.length)}
            {/* Generated: its name must not change each second. */}
            {card?.countdown == null ? null : <span className={styles.time} data-left={card.countdown} />}
          </DeliberateButton>
        )}
        {going || !probable || job.host !== 'local' ? null : (
          <Button
            size="small"
            data-act="mine"
            aria-disabled={mine.busy}
            aria-label={words.mineName(name)}
            onClick={() =>
              void mine.run(target).then((done) => {
                if (done !== null) say({ id: job.id, host: job.host, command: job.command });
              })
            }
          >
            {words.mine}
          </Button>
        )}
        {going || probable || keptUntil !== null || job.verdict.state === 'protected' || !canKeep(job) ? null : (
          <Button
            size="small"
            data-act="keep"
            aria-disabled={keep.busy}
            aria-label={words.keepName(name)}
            onClick={() => void keep.run({ ...target, seconds: keepSeconds })}
          >
            {card === undefined ? words.keepShort : words.keep}
          </Button>
        )}
        {keptUntil === null ? null : (
          <span className={styles.kept}>
            {card === undefined ? null : (
              <Spliced text={words.keptUntil}>
                <AtTime at={keptUntil} />
              </Spliced>
            )}
            <Button look="link" aria-disabled={unkeep.busy} onClick={() => void unkeep.run(target)}>
              {card === undefined ? words.unkeep : texts.common.undo}
            </Button>
          </span>
        )}
        {card === undefined ? null : (
          <Button
            look="plain"
            size="small"
            className={styles.more}
            data-act="more"
            aria-expanded={card.open}
            aria-controls={card.open ? card.detailsId : undefined}
            aria-label={card.open ? words.lessName(name) : words.moreName(name)}
            onClick={card.onToggle}
          >
            {card.open ? words.less : words.more}
          </Button>
        )}
      </div>
      <FailureNote failure={reap.failure ?? killNow.failure ?? mine.failure ?? keep.failure ?? unkeep.failure} />
    </>
  );
};
