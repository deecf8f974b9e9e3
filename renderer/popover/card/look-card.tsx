import type { ReactElement } from 'react';
import { EndedCard } from './ended-card.tsx';
import type { LookItem } from './groups.ts';
import { JobCard } from './job-card.tsx';
import { useSaidMine } from '../../parts/message/said-mine.tsx';

interface LookCardProps {
  readonly item: LookItem;
  /** It left the snapshot and stays only so that nothing moves. */
  readonly gone: boolean;
  readonly open: boolean;
}

/** The card of a job that needs a look, is being ended, or was. */
export const LookCard = ({ item, gone, open }: LookCardProps): ReactElement | null => {
  const { job, reaping } = item;
  const { said } = useSaidMine();
  if (job !== null && !gone) return <JobCard job={job} reaping={reaping} initiallyOpen={open} />;
  const last = reaping ?? job;
  if (last === null) return null;
  return (
    <EndedCard
      id={item.id}
      agent={last.agent}
      project={last.project}
      host={last.host}
      command={last.command}
      reaping={reaping?.phase === 'ended' ? reaping : null}
      mine={said?.id === item.id}
    />
  );
};
