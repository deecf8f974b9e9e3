import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { browserHere, launchChromium } from './chromium.ts';
import { ViewPage } from './open-view.ts';

/** What a test in the browser starts from. */
export interface InBrowser {
  /** The page of all tests of the file; each opens its view on it. */
  readonly shown: () => ViewPage;
}

/**
 * Tests that need a browser: one browser and one page for the file; without one they are counted as
 * skipped. Whatever a page complains about fails the test that it was opened in.
 */
export const inBrowser = (name: string, tests: (given: InBrowser) => void): void => {
  const missing = 'reason' in browserHere ? browserHere.reason : null;
  // The reason is in the name, so that it appears in the summary.
  const title: string = missing === null ? name : `${name} (SKIPPED: ${missing})`;
  // eslint-disable-next-line vitest/valid-title -- it is a string; the rule looks for a literal
  describe.skipIf(missing !== null)(title, () => {
    let shown: ViewPage | undefined;
    const given = (): ViewPage => {
      if (shown === undefined) throw new Error('the browser was not started');
      return shown;
    };
    beforeAll(async () => {
      shown = await ViewPage.make(await launchChromium(), inject('sceneUrl'), 1);
    });
    afterEach(() => {
      expect(given().complaints()).toEqual([]);
    });
    afterAll(async () => {
      await shown?.page.context().browser()?.close();
    });
    tests({ shown: given });
  });
};
