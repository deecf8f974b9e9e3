import { createContext, use, useDeferredValue, useSyncExternalStore } from 'react';
import type { Snapshot } from '../../app/contract/views/snapshot.ts';
import type { Known, SnapshotStore } from './snapshot-store.ts';

/** See `useStore`. */
export const StoreContext = createContext<SnapshotStore | null>(null);

/** Returns the window's store. Throws outside `start`. */
export const useStore = (): SnapshotStore => {
  const store = use(StoreContext);
  if (store === null) throw new Error('A view was shown without a store.');
  return store;
};

/** Returns the state, deferred: input interrupts rendering, so that no click waits for it. */
export const useKnown = (): Known => {
  const store = useStore();
  return useDeferredValue(useSyncExternalStore(store.subscribe, store.get));
};

/** Returns whether the engine can be asked now, as far as is known. */
export const useReached = (): boolean => {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, () => !['lost', 'signed-out'].includes(store.get().connection));
};

/** See `useSnapshot`. */
export const SnapshotContext = createContext<Snapshot | null>(null);

/** Returns the latest snapshot. Views below `App` render only if there is one. */
export const useSnapshot = (): Snapshot => {
  const snapshot = use(SnapshotContext);
  if (snapshot === null) throw new Error('A view was shown before there was a snapshot.');
  return snapshot;
};
