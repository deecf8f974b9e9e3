import { useEffect, useId, useMemo, type ReactElement, type ReactNode } from 'react';
import { leftoverGroups, type LeftoverGroup } from '../../app/contract/claims/leftovers.ts';
import type { SnapshotJob } from '../../app/contract/views/snapshot.ts';
import { Button } from '../parts/input/button.tsx';
import { Heading } from '../parts/display/heading.tsx';
import { useSnapshot } from '../state/store-context.ts';
import { useFrozen } from '../state/use-frozen.ts';
import { useSteadyList } from '../state/steady-list.ts';
import { useLanguage } from '../texts/texts-context.ts';
import { AgentList } from './agents/agent-list.tsx';
import { LeftOpenList } from './agents/left-open-list.tsx';
import { EmptyState } from './empty-state.tsx';
import type { JobGroups, LookItem } from './card/groups.ts';
import { GroupHeading } from './leftovers/group-heading.tsx';
import { LeftoversBar } from './leftovers/leftovers-bar.tsx';
import { JobRow } from './job-row.tsx';
import styles from './job-lists.module.css';
import { LookCard } from './card/look-card.tsx';
import { SteadyItem } from './steady-item.tsx';
import { RecentList } from './recent-list.tsx';
import { useCardFocus } from './card/use-card-focus.ts';
import { useGrowing } from '../state/use-growing.ts';
import { useHeld } from './card/use-held.ts';

interface JobListsProps {
  readonly groups: JobGroups;
  readonly focus: string | null;
  /** Only what fits the search is in the groups. */
  readonly searching: boolean;
}

interface GroupProps {
  readonly heading: string;
  readonly children: ReactNode;
}

const Group = ({ heading, children }: GroupProps): ReactElement => {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Heading id={id}>{heading}</Heading>
      <ul className={styles.rows}>{children}</ul>
    </section>
  );
};

const More = ({ left, grow }: { readonly left: number; readonly grow: () => void }): ReactElement | null => {
  const { texts } = useLanguage();
  if (left === 0) return null;
  return (
    <li>
      <Button look="plain" size="small" onClick={grow}>
        {texts.popover.showMore(left)}
      </Button>
    </li>
  );
};

const Rows = (props: {
  readonly heading: string;
  readonly jobs: readonly SnapshotJob[];
  readonly focus: string | null;
}) => {
  const { heading, jobs, focus } = props;
  const growing = useGrowing(jobs.length, 12);
  if (jobs.length === 0) return null;
  return (
    <Group heading={heading}>
      {jobs.slice(0, growing.shown).map((job) => (
        <JobRow key={job.id} job={job} initiallyOpen={job.id === focus} />
      ))}
      <More {...growing} />
    </Group>
  );
};

/** Cards of jobs that need a look, rows of others. Cards hold still while the user is there. */
export const JobLists = ({ groups, focus, searching }: JobListsProps): ReactElement => {
  const { texts } = useLanguage();
  const words = texts.popover;
  const snapshot = useSnapshot();
  const { agents, leftOpen } = snapshot;
  const { held, handlers } = useHeld();
  const cardFocus = useCardFocus();
  const rest = [...groups.within, ...groups.kept, ...groups.protectedOnes];
  const cards = useSteadyList(groups.look, held, (id): LookItem | undefined => {
    const job = rest.find((candidate) => candidate.id === id);
    return job === undefined ? undefined : { id, job, reaping: null };
  });
  // The heading of a group stands above the first of its cards.
  const headings = useMemo(() => {
    const left = leftoverGroups(snapshot);
    if (left.length < 2) return new Map<string, LeftoverGroup>();
    return new Map(
      left.flatMap((group) => {
        const ids = new Set(group.jobs.map(({ id }) => id));
        const first = cards.find(({ item, gone }) => !gone && ids.has(item.id));
        return group.jobs.length < 2 || first === undefined ? [] : [[first.item.id, group]];
      }),
    );
  }, [snapshot, cards]);
  const headed = useFrozen(headings, held);
  // A job that stays on a held card isn't shown twice.
  const onCard = new Set(cards.filter(({ gone }) => !gone).map(({ item }) => item.id));
  const without = (jobs: readonly SnapshotJob[]): readonly SnapshotJob[] => jobs.filter((job) => !onCard.has(job.id));
  const growing = useGrowing(cards.length, 8);
  useEffect(() => {
    if (focus === null) return;
    const card = document.querySelector<HTMLElement>(`#job-${CSS.escape(focus)}`);
    card?.scrollIntoView({ block: 'start' });
    card?.focus();
  }, [focus]);
  return (
    <div className={styles.columns} {...cardFocus}>
      <div className={styles.primary}>
        {cards.length === 0 ? null : (
          <section>
            <h2 className="visually-hidden">{words.needsHeading}</h2>
            {searching ? null : <LeftoversBar held={held} />}
            <ul className={styles.cards} {...handlers}>
              {cards.slice(0, growing.shown).map(({ item, gone }) => {
                const group = headed.get(item.id);
                return (
                  <SteadyItem key={item.id} held={held}>
                    {group === undefined ? null : <GroupHeading group={group} />}
                    <LookCard item={item} gone={gone} open={item.id === focus} />
                  </SteadyItem>
                );
              })}
              <More {...growing} />
            </ul>
          </section>
        )}
        {cards.length === 0 && rest.length === 0 && agents.length === 0 && leftOpen.length === 0 && !searching ? (
          <EmptyState />
        ) : null}
      </div>
      <div className={styles.secondary}>
        {searching ? null : <AgentList />}
        {searching ? null : <LeftOpenList />}
        <Rows heading={words.withinHeading} jobs={without(groups.within)} focus={focus} />
        <Rows heading={words.keptHeading} jobs={without(groups.kept)} focus={focus} />
        <Rows heading={words.protectedHeading} jobs={without(groups.protectedOnes)} focus={focus} />
        {searching ? null : <RecentList />}
      </div>
    </div>
  );
};
