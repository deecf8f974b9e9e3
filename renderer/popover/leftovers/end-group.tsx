import type { ReactElement } from 'react';
import {
  canEnd,
  holdingsOf,
  leftoverGroups,
  leftoverKey,
  probableLeftovers,
} from '../../../app/contract/claims/leftovers.ts';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { projectName } from '../../../app/format/project-name.ts';
import { visibleText } from '../../parts/text/visible-characters.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { useLanguage } from '../../texts/texts-context.ts';
import { keyOf } from './choosing.ts';
import { EndLeftovers } from './end-leftovers.tsx';

/** Returns all that is left over and is not being ended, proved and probable. */
const leftoversOf = (snapshot: Snapshot): readonly SnapshotJob[] => [
  ...leftoverGroups(snapshot).flatMap(({ jobs }) => jobs),
  ...probableLeftovers(snapshot),
];

/** Ends all that one closed session left. Empty if nothing can be: cards outstay their jobs. */
export const EndGroup = ({ jobs: shown }: { readonly jobs: readonly SnapshotJob[] }): ReactElement | null => {
  const { texts, format } = useLanguage();
  const snapshot = useSnapshot();
  const words = texts.popover.leftovers;
  const there = new Set(snapshot.jobs.map(keyOf));
  const jobs = shown.filter((job) => there.has(keyOf(job)) && canEnd(job, snapshot));
  const [first] = jobs;
  if (first === undefined) return null;
  const label = (first.session === null ? words.endGroup : words.endSession)(jobs.length);
  const project = visibleText(projectName(first.project) ?? texts.common.noProject);
  return (
    <EndLeftovers jobs={jobs} label={label} name={`${label} ${project}, ${format.bytes(holdingsOf(jobs).rssBytes)}`} />
  );
};

/** The end of all that the session of a leftover left, where that is more than this one. */
export const EndWithSession = ({ job }: { readonly job: SnapshotJob }): ReactElement | null => {
  const jobs = leftoversOf(useSnapshot()).filter((other) => leftoverKey(other) === leftoverKey(job));
  return jobs.length < 2 ? null : <EndGroup jobs={jobs} />;
};

/** The end of all that a session of this machine left. */
export const EndSession = ({ agent, id }: { readonly agent: string; readonly id: string }): ReactElement => (
  <EndGroup
    jobs={leftoversOf(useSnapshot()).filter((job) => job.host === 'local' && job.agent === agent && job.session === id)}
  />
);
