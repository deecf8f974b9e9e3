import type { Job } from '../../app/jobs/job.ts';
import { graceSecondsFor } from '../../app/reap/grace.ts';
import type { ReapingPlan } from '../../app/reap/machine.ts';
import { killing } from '../../app/reap/machine.ts';
import type { FirstSignalName } from '../../app/reap/signal.ts';
import type { Settings } from '../../app/settings/settings.ts';

/** How a job is reaped: by the settings, or as the caller asked; work in progress gets its time in either case. */
export const planFor = (
  job: Job,
  settings: Settings,
  asked: { readonly signal?: FirstSignalName; readonly graceSeconds?: number } = {},
): ReapingPlan => ({
  signal: asked.signal ?? settings.backgroundKillSignal,
  graceMs:
    graceSecondsFor(
      job.members.map(({ row }) => row),
      asked.graceSeconds ?? settings.backgroundKillGraceSeconds,
    ) * 1000,
  ...killing,
});
