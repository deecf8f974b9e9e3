import { isShownAlways } from '../../../app/judge/shown.ts';
import type { Ends, ScanSum } from '../../../app/text/scan-verdict.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';

const isPast = ({ verdict: { state } }: JudgedJob): boolean => state === 'overdue' || state === 'past-cap';

/** True for what a closed session left, witnessed and not spared. */
export const isProvedLeftover = (judged: JudgedJob): boolean =>
  judged.verdict.state === 'orphaned' || (judged.verdict.state === 'past-cap' && judged.job.owner.state === 'gone');

/** Sums up a look for its verdict. `all`: what an ordinary list leaves out counts as running. */
export const sumOf = (look: Look, all: boolean, ends: Ends): ScanSum => {
  const jobs = [...look.jobs.values()];
  const proved = jobs.filter(isProvedLeftover);
  const left = [...proved, ...jobs.filter(({ verdict }) => verdict.state === 'probable')];
  const others = jobs.filter((judged) => (all || isShownAlways(judged)) && !left.includes(judged));
  const overdue = others.filter(isPast).length;
  return {
    proved: proved.length,
    probable: left.length - proved.length,
    rssBytes: left.reduce((sum, { job }) => sum + job.holds.rssBytes, 0),
    ports: [...new Set(left.flatMap(({ job }) => job.holds.ports))].toSorted((one, other) => one - other),
    sessions: new Set(left.flatMap(({ job: { agent, session } }) => (session === null ? [] : [`${agent} ${session}`])))
      .size,
    oldestSeconds: Math.max(0, ...left.map(({ job }) => job.ageSeconds)),
    overdue,
    running: others.length - overdue,
    ends,
  };
};
