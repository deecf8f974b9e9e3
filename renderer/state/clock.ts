import { useCallback, useSyncExternalStore } from 'react';
import { useStore } from './store-context.ts';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let localMs = Date.now();

const tick = (): void => {
  localMs = Date.now();
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  if (timer === undefined) {
    localMs = Date.now();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/**
 * Returns a value that depends on the time, recomputed every second. The component renders again
 * only if the value changed, so that 300 ages in minutes cost nothing. `read` gets the engine's
 * wall clock in milliseconds and must return a primitive.
 */
export const useClock = <Value extends string | number | boolean>(read: (nowMs: number) => Value): Value => {
  const store = useStore();
  const get = useCallback(() => read(localMs - store.get().clockSkewMs), [read, store]);
  return useSyncExternalStore(subscribe, get);
};

/** Returns the engine's wall clock in milliseconds, for event handlers. */
export const useNow = (): (() => number) => {
  const store = useStore();
  return useCallback(() => Date.now() - store.get().clockSkewMs, [store]);
};
