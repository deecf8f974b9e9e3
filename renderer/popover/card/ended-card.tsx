import { useId, type ReactElement } from 'react';
import type { ReapingView } from '../../../app/contract/views/reaping-view.ts';
import { Command } from '../../parts/text/command.tsx';
import { Notice } from '../../parts/display/notice.tsx';
import { useLanguage } from '../../texts/texts-context.ts';
import { CardHead } from './card-head.tsx';
import styles from './job-card.module.css';
import { ReapingProgress } from './reaping-progress.tsx';

interface EndedCardProps {
  readonly id: string;
  readonly agent: string;
  readonly project: string | null;
  readonly host: string;
  readonly command: string;
  /** null: it ended on its own while it was on screen. */
  readonly reaping: ReapingView | null;
  /** It runs on: the user said that it is theirs. */
  readonly mine?: boolean;
}

/** A job that is gone, and how it ended. */
export const EndedCard = ({
  id,
  agent,
  project,
  host,
  command,
  reaping,
  mine = false,
}: EndedCardProps): ReactElement => {
  const { texts } = useLanguage();
  const titleId = useId();
  return (
    <article id={`job-${id}`} className={styles.card} aria-labelledby={titleId} tabIndex={-1}>
      <CardHead id={titleId} name={null} agent={agent} project={project} host={host} owner={null} />
      <Command text={command} />
      {reaping === null ? (
        <Notice tone="quiet" icon={mine ? 'shield' : 'gone'} live="polite">
          <p>{mine ? texts.popover.mineHere : texts.popover.goneByItself}</p>
        </Notice>
      ) : (
        <ReapingProgress reaping={reaping} />
      )}
    </article>
  );
};
