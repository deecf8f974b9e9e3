import { useEffect, useSyncExternalStore, type ComponentType, type ReactElement } from 'react';
import { Centred } from '../parts/display/centred.tsx';
import { useLanguage } from '../texts/texts-context.ts';
import { LateFailure, type LatePlace } from './late-failure.tsx';

type Loaded<Props> =
  | { readonly kind: 'unasked' | 'loading' }
  | { readonly kind: 'failed'; readonly failures: number }
  | { readonly kind: 'ready'; readonly Component: ComponentType<Props> };

const asks = new Set<() => void>();

/** Loads the code of all late views, so that they open also while Curfew is away. */
export const loadLateViews = (): void => {
  for (const ask of asks) ask();
};

const Loading = ({ place }: { readonly place: LatePlace }): ReactElement | null => {
  const { texts } = useLanguage();
  if (place === 'above') return null;
  if (place === 'part') return <p role="status">{texts.common.loading}</p>;
  return (
    <main>
      <Centred whole title={texts.common.loading} />
    </main>
  );
};

/**
 * Returns a component whose code is loaded when it is first shown, or by `loadLateViews`. Unlike
 * `lazy` of React it tries again after a failure, and says a failure in its own place.
 */
export const lateView = <Props extends object>(
  place: LatePlace,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let loaded: Loaded<Props> = { kind: 'unasked' };
  let failures = 0;
  const listeners = new Set<() => void>();
  const set = (next: Loaded<Props>): void => {
    loaded = next;
    for (const listener of listeners) listener();
  };
  const ask = (): void => {
    if (loaded.kind === 'loading' || loaded.kind === 'ready') return;
    set({ kind: 'loading' });
    load().then(
      (Component) => set({ kind: 'ready', Component }),
      () => {
        // The browser itself says which file could not be fetched, and why.
        failures += 1;
        set({ kind: 'failed', failures });
      },
    );
  };
  asks.add(ask);
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return (props: Props): ReactElement => {
    const now = useSyncExternalStore(subscribe, () => loaded);
    useEffect(() => {
      if (now.kind === 'unasked') ask();
    }, [now.kind]);
    if (now.kind === 'ready') return <now.Component {...props} />;
    if (now.kind !== 'failed') return <Loading place={place} />;
    return <LateFailure place={place} failures={now.failures} again={ask} />;
  };
};
