import { useEffect } from 'react';

/** What the view of now can do, beside what can be asked of the engine. */
export type ViewAction = 'search' | 'keys';

const offered = new Map<ViewAction, () => void>();

/** Offers an action of a view while it is shown. Pass the same function while nothing changed. */
export const useViewAction = (name: ViewAction, run: () => void): void =>
  useEffect(() => {
    offered.set(name, run);
    return () => {
      if (offered.get(name) === run) offered.delete(name);
    };
  }, [name, run]);

/** Returns the actions that are offered now. */
export const offeredActions = (): ReadonlySet<ViewAction> => new Set(offered.keys());

/** Does an action, if the view of now offers it. */
export const doViewAction = (name: ViewAction): void => offered.get(name)?.();
