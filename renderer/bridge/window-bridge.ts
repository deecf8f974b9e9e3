import { failure } from '../../app/contract/answer.ts';
import type { Bridge } from '../../app/contract/bridge.ts';
import { pageSays } from './page-says.ts';
import { PageBridge } from './page-bridge.ts';

declare global {
  interface Window {
    /** Set by Electron's preload; the only part of the main process that a window sees. */
    readonly curfew?: Bridge;
  }
}

/** Bridge of a page without a carrier: every question is answered with advice. */
const unconnected = (): Bridge => {
  return {
    ask: () =>
      Promise.resolve({
        ok: false,
        failure: failure('offline', pageSays.unconnected, { advice: pageSays.unconnectedAdvice }),
      }),
    on: () => () => {},
    onConnection: (listener) => {
      listener('lost');
      return () => {};
    },
  };
};

/** Returns the bridge of this page: the desktop's, that of `curfew web`, or none. */
export const windowBridge = (): Bridge => {
  if (window.curfew !== undefined) return window.curfew;
  return window.location.protocol.startsWith('http') ? new PageBridge() : unconnected();
};
