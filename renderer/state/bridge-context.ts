import { createContext, use } from 'react';
import type { Bridge } from '../../app/contract/bridge.ts';

/** See `useBridge`. */
export const BridgeContext = createContext<Bridge | null>(null);

/** Returns the bridge to the main process. Throws outside `start`. */
export const useBridge = (): Bridge => {
  const bridge = use(BridgeContext);
  if (bridge === null) throw new Error('A view was shown without a bridge.');
  return bridge;
};
