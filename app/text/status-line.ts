import type { Said } from '../format/said.ts';
import type { Job } from '../model/job.ts';
import { isShownAlways } from '../judge/shown.ts';
import type { Verdict } from '../judge/verdict.ts';
import { listed, say, several, sized } from './form.ts';

/** A job as far as the line goes. */
interface Counted {
  readonly job: Pick<Job, 'server' | 'owner' | 'holds'>;
  readonly verdict: Pick<Verdict, 'state'>;
}

/**
 * What runs in the background, in one short line: `2 jobs, 1 left over, 1.1 GB`. Empty where
 * nothing does. Counts what `curfew scan` lists.
 */
export const sayStatusLine = (jobs: Iterable<Counted>): Said => {
  const shown = [...jobs].filter(isShownAlways);
  if (shown.length === 0) return '';
  const left = shown.filter(({ job }) => job.owner.state === 'gone').length;
  const bytes = shown.reduce((sum, { job }) => sum + job.holds.rssBytes, 0);
  return listed(
    [
      several(shown.length, 'job'),
      ...(left === 0 ? [] : [listed([String(left), say('left over')], ' ')]),
      sized(bytes),
    ],
    ', ',
  );
};
