import type { JobUsage } from '../../../app/contract/job-questions.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { maxUsageSteps } from '../../../app/jobs/measure/usage-series.ts';

/** Steps in which the machine slept. */
const asleep = { from: 14, to: 18 };

/** What a job of a scene used: busy in waves around its figure of now, with a gap. */
export const sceneUsage = ({ id, host, holds, silentSince }: SnapshotJob): JobUsage => {
  const { cpuPercent, rssBytes } = holds;
  const wave = (step: number): number =>
    silentSince === null ? 0.7 + 0.25 * Math.sin(step / 3) + 0.05 * Math.sin(step * 2.7) : 1;
  const steps = Array.from({ length: maxUsageSteps }, (_, step) => step);
  const isAsleep = (step: number): boolean => step >= asleep.from && step < asleep.to;
  return {
    job: id,
    host,
    cpuPercent: steps.map((step) => {
      if (isAsleep(step)) return null;
      return step === maxUsageSteps - 1 ? cpuPercent : Math.round(cpuPercent * wave(step) * 10) / 10;
    }),
    rssBytes: steps.map((step) =>
      isAsleep(step) ? null : Math.round(rssBytes * Math.min(1, 0.6 + (0.4 * step) / (maxUsageSteps - 1))),
    ),
  };
};
