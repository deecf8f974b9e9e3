import { createContext, use } from 'react';
import type { Bridge } from '../../app/contract/bridge.ts';

/** See `useBridge`. */
export const BridgeContext = createContext<Bridge | null>(null);

/** The way to the main process. Throws outside of `start`. */
export const useBridge = (): Bridge => {
  const bridge = use(BridgeContext);
  if (bridge === null) throw new Error('A view was shown without a bridge.');
  return bridge;
};
