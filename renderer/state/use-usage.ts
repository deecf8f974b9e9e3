import { useEffect, useState } from 'react';
import type { Failure } from '../../app/contract/answer.ts';
import type { JobUsage } from '../../app/contract/job-questions.ts';
import type { SnapshotJob } from '../../app/contract/views/snapshot.ts';
import { useBridge } from './bridge-context.ts';

/** Interval in ms: half of a step of the series. */
const againMs = 5000;

/** Upper bound of jobs in one question, as the contract says. */
const maxAsked = 100;

type JobName = Pick<SnapshotJob, 'id' | 'host'>;

/** What jobs used over the last ten minutes. */
export interface Usage {
  /** Returns what one of the jobs used; null: not known yet, or it has ended. */
  readonly of: (job: JobName) => JobUsage | null;
  readonly failure: Failure | null;
}

interface Answered {
  readonly usage: readonly JobUsage[];
  readonly failure: Failure | null;
}

/** Asks what the first hundred jobs used, repeatedly while shown in a visible window. */
export const useUsage = (jobs: readonly JobName[]): Usage => {
  const bridge = useBridge();
  const [state, setState] = useState<Answered>({ usage: [], failure: null });
  const key = JSON.stringify(jobs.slice(0, maxAsked).map(({ id, host }) => ({ job: id, host })));
  useEffect(() => {
    const asked = JSON.parse(key) as { job: string; host: string }[];
    if (asked.length === 0) return undefined;
    let wanted = true;
    const ask = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return;
      const answer = await bridge.ask('job.usage', { jobs: asked });
      if (!wanted) return;
      setState((before) =>
        answer.ok ? { usage: answer.value.usage, failure: null } : { ...before, failure: answer.failure },
      );
    };
    void ask();
    const timer = setInterval(() => void ask(), againMs);
    return () => {
      wanted = false;
      clearInterval(timer);
    };
  }, [bridge, key]);
  const { usage, failure } = state;
  return { of: ({ id, host }) => usage.find((one) => one.job === id && one.host === host) ?? null, failure };
};
