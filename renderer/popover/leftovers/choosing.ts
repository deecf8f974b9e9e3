import { createContext, use } from 'react';
import { canEnd } from '../../../app/contract/claims/leftovers.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { useSnapshot } from '../../state/store-context.ts';
import { jobKey } from './bulk-end.tsx';

/** Returns the name of a job among those of all machines. */
export const keyOf = ({ host, id }: SnapshotJob): string => jobKey(host, id);

/** Returns the keys with one more, or without it where it was among them. */
export const toggled = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  new Set(keys.has(key) ? [...keys].filter((other) => other !== key) : [...keys, key]);

interface Choosing {
  readonly keys: ReadonlySet<string>;
  readonly choose: (keys: ReadonlySet<string>) => void;
}

export const ChoosingContext = createContext<Choosing>({ keys: new Set(), choose: () => undefined });

/** Returns the jobs that the user has chosen and may end now, and what changes the choice. */
export const useChosen = (): Choosing & { readonly jobs: readonly SnapshotJob[] } => {
  const choosing = use(ChoosingContext);
  const snapshot = useSnapshot();
  return {
    ...choosing,
    jobs: snapshot.jobs.filter((job) => choosing.keys.has(keyOf(job)) && canEnd(job, snapshot)),
  };
};
