import type { JudgedJob } from '../supervisor/look.ts';

const rank: Readonly<Record<JudgedJob['verdict']['state'], number>> = {
  'past-cap': 0,
  orphaned: 1,
  overdue: 2,
  within: 3,
  kept: 4,
  protected: 5,
};

/** Worst first: by verdict, then the oldest. */
export const worstFirst = (jobs: Iterable<JudgedJob>): readonly JudgedJob[] =>
  [...jobs].toSorted(
    (left, right) => rank[left.verdict.state] - rank[right.verdict.state] || right.job.ageSeconds - left.job.ageSeconds,
  );
