import { failure } from '../../app/contract/answer.ts';
import type { Bridge } from '../../app/contract/bridge.ts';

declare global {
  interface Window {
    /** Put there by Electron's preload, and nothing else of the main process. */
    readonly curfew?: Bridge;
  }
}

/** What a window has when nothing carries it: every question is answered with how to get further. */
const unconnected: Bridge = {
  ask: () =>
    Promise.resolve({
      ok: false,
      failure: failure('offline', 'This page is not connected to Curfew.', {
        advice: 'Open it from the tray, or start it with “curfew web” and use the address that it prints.',
      }),
    }),
  on: () => () => {},
  onConnection: (listener) => {
    listener('lost');
    return () => {};
  },
};

/** The bridge that this page was given. */
export const windowBridge = (): Bridge => window.curfew ?? unconnected;
