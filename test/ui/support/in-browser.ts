import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { browserHere, launchChromium } from './chromium.ts';

/** What a test in the browser starts from. */
export interface InBrowser {
  readonly browser: () => Browser;
  readonly url: string;
}

/** Tests that need a browser: one browser for the file; without one they are counted as skipped. */
export const inBrowser = (name: string, tests: (given: InBrowser) => void): void => {
  const missing = 'reason' in browserHere ? browserHere.reason : null;
  // The reason stands in the name, so that whoever reads the count finds it.
  const title: string = missing === null ? name : `${name} (${missing})`;
  // eslint-disable-next-line vitest/valid-title -- it is a string; the rule looks for a literal
  describe.skipIf(missing !== null)(title, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser?.close();
    });
    tests({
      browser: () => {
        if (browser === undefined) throw new Error('the browser was not started');
        return browser;
      },
      url: inject('sceneUrl'),
    });
  });
};
