import { createContext, use, useDeferredValue, useSyncExternalStore } from 'react';
import type { Snapshot } from '../../app/contract/views/snapshot.ts';
import type { Known, SnapshotStore } from './snapshot-store.ts';

/** See `useStore`. */
export const StoreContext = createContext<SnapshotStore | null>(null);

/** The window's store. Throws outside of `start`. */
export const useStore = (): SnapshotStore => {
  const store = use(StoreContext);
  if (store === null) throw new Error('A view was shown without a store.');
  return store;
};

/**
 * What the window knows now. Deferred: drawing 300 jobs again is interrupted by whatever the person does, so that no snapshot
 * makes a click wait.
 */
export const useKnown = (): Known => {
  const store = useStore();
  return useDeferredValue(useSyncExternalStore(store.subscribe, store.get));
};

/** See `useSnapshot`. */
export const SnapshotContext = createContext<Snapshot | null>(null);

/** The latest snapshot. Views below `App` are shown only when there is one. */
export const useSnapshot = (): Snapshot => {
  const snapshot = use(SnapshotContext);
  if (snapshot === null) throw new Error('A view was shown before there was a snapshot.');
  return snapshot;
};
