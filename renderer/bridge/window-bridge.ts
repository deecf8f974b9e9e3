import { failure } from '../../app/contract/answer.ts';
import type { Bridge } from '../../app/contract/bridge.ts';
import { languageFor } from '../texts/texts-context.ts';
import { PageBridge } from './page-bridge.ts';

declare global {
  interface Window {
    /** Put there by Electron's preload, and nothing else of the main process. */
    readonly curfew?: Bridge;
  }
}

/** What a window has when nothing carries it: every question is answered with how to get further. */
const unconnected = (): Bridge => {
  const words = languageFor(navigator.languages).texts.common.page;
  return {
    ask: () =>
      Promise.resolve({
        ok: false,
        failure: failure('offline', words.unconnected, { advice: words.unconnectedAdvice }),
      }),
    on: () => () => {},
    onConnection: (listener) => {
      listener('lost');
      return () => {};
    },
  };
};

/** The bridge that this page was given: the desktop's, that of `curfew web`, or none. */
export const windowBridge = (): Bridge => {
  if (window.curfew !== undefined) return window.curfew;
  return window.location.protocol.startsWith('http') ? new PageBridge() : unconnected();
};
