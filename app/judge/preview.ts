import type { Job } from '../model/job.ts';
import type { Settings } from '../settings/settings.ts';
import { judge } from './judge.ts';
import type { Verdict, Veto } from './verdict.ts';

/** A job whose verdict other settings would change. */
export interface VerdictChange {
  readonly job: Job;
  readonly before: Verdict;
  readonly after: Verdict;
}

/** Whether its end is announced, or due: what is given its notice and then ended. */
export const endsSoon = ({ action, announces }: Verdict): boolean => action === 'reap' || announces === true;

/** What the mode enforce would end once the notice was given, of the jobs of a look. */
export const endedByEnforcing = (
  judged: Iterable<{ readonly job: Job; readonly vetoes: readonly Veto[] }>,
  settings: Settings,
  lookMs: number,
): readonly { readonly job: Job; readonly verdict: Verdict }[] =>
  [...judged].flatMap(({ job, vetoes }) => {
    if (job.run !== undefined) return [];
    const verdict = judge(job, { ...settings, mode: 'enforce' }, { nowMs: lookMs, vetoes });
    return endsSoon(verdict) ? [{ job, verdict }] : [];
  });

/**
 * What other settings would change for the jobs of a look, in their order: only those whose state,
 * action or end would be another. Jobs that a changed rule would find are not among them; they are
 * not known before it holds.
 * @param lookMs wall clock of the look, milliseconds, so that nothing but the settings makes a
 *   difference
 */
export const previewVerdicts = (
  judged: Iterable<{ readonly job: Job; readonly vetoes: readonly Veto[]; readonly verdict: Verdict }>,
  settings: Settings,
  lookMs: number,
): readonly VerdictChange[] =>
  [...judged].flatMap(({ job, vetoes, verdict: before }) => {
    const after = judge(job, settings, { nowMs: lookMs, vetoes });
    const same = after.state === before.state && after.action === before.action && endsSoon(after) === endsSoon(before);
    return same ? [] : [{ job, before, after }];
  });
