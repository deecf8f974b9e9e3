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
 * Something that depends on the time, worked out again every second. The component is drawn again only when the result changed, so
 * that 300 ages in minutes cost nothing. `read` gets the engine's wall clock in milliseconds and must return a primitive value.
 */
export const useClock = <Value extends string | number | boolean>(read: (nowMs: number) => Value): Value => {
  const store = useStore();
  const get = useCallback(() => read(localMs - store.get().clockSkewMs), [read, store]);
  return useSyncExternalStore(subscribe, get);
};

/** The engine's wall clock in milliseconds, to be read when the person does something. */
export const useNow = (): (() => number) => {
  const store = useStore();
  return useCallback(() => Date.now() - store.get().clockSkewMs, [store]);
};
