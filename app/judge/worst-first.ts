import type { VerdictState } from './verdict.ts';

interface Ordered {
  readonly job: { readonly ageSeconds: number };
  readonly verdict: { readonly state: VerdictState };
}

const rank: Readonly<Record<VerdictState, number>> = {
  'past-cap': 0,
  orphaned: 1,
  overdue: 2,
  probable: 3,
  within: 4,
  kept: 5,
  protected: 6,
};

/** What memory its processes take. */
interface Sized {
  readonly job: { readonly holds: { readonly rssBytes: number } };
}

/** The largest first: what frees the most when memory is scarce. */
export const largestFirst = <Judged extends Sized>(jobs: Iterable<Judged>): readonly Judged[] =>
  [...jobs].toSorted((left, right) => right.job.holds.rssBytes - left.job.holds.rssBytes);

/** Worst first: by verdict, then the oldest. */
export const worstFirst = <Judged extends Ordered>(jobs: Iterable<Judged>): readonly Judged[] =>
  [...jobs].toSorted(
    (left, right) => rank[left.verdict.state] - rank[right.verdict.state] || right.job.ageSeconds - left.job.ageSeconds,
  );
