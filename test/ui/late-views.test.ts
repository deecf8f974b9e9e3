import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { browserHere, launchChromium } from './support/chromium.ts';
import { expect } from './support/patient.ts';

const missing = 'reason' in browserHere ? browserHere.reason : null;

// What is refused here is said on the console, so these pages are not those of the other tests.
describe.skipIf(missing !== null)(
  `views that load late (${missing === null ? 'in the browser' : `SKIPPED: ${missing}`})`,
  () => {
    let browser: Awaited<ReturnType<typeof launchChromium>>;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser.close();
    });

    /** The page; what `refused` says true of is not served. */
    const open = async (refused: (path: string) => boolean): Promise<Page> => {
      const page = await (await browser.newContext()).newPage();
      await page.route('**/*', async (route) => {
        if (refused(new URL(route.request().url()).pathname)) await route.abort('connectionrefused');
        else await route.continue();
      });
      await page.goto(`${inject('sceneUrl')}?scene=busy&surface=page&still`);
      await expect(page.getByRole('navigation')).toBeVisible();
      return page;
    };
    const isLate = (path: string): boolean => /\/(?:settings|history)-[^/]+\.(?:js|css)$/u.test(path);

    test('a view whose files can’t be had keeps the navigation, says so, and shows itself once they can', async () => {
      let away = true;
      const page = await open((path) => away && isLate(path));
      await page.getByRole('link', { name: 'History' }).click();
      await expect(page.getByRole('heading', { name: 'This view could not be loaded' })).toBeVisible();
      await expect(page.getByRole('navigation')).toBeVisible();
      away = false;
      await expect(page.getByRole('heading', { name: 'History', level: 1 })).toBeVisible();
      await page.context().close();
    });

    test('a page whose files stay away reloads once and then leaves the next reload to the user', async () => {
      const page = await open(isLate);
      let loads = 0;
      page.on('load', () => {
        loads += 1;
      });
      await page.getByRole('link', { name: 'Settings' }).first().click();
      await expect.poll(() => loads).toBe(1);
      await expect(page.getByRole('heading', { name: 'This view could not be loaded' })).toBeVisible();
      // Longer than a try takes: a page that reloads again and again would have done so.
      await page.waitForTimeout(5000);
      expect(loads).toBe(1);
      await page.getByRole('button', { name: 'Reload the page' }).click();
      await expect.poll(() => loads).toBe(2);
      await page.context().close();
    });

    test('all views are loaded while the page is at rest, so that they open while Curfew is away', async () => {
      const late = new Set<string>();
      let away = false;
      const page = await open((path) => {
        if (isLate(path)) late.add(new URL(path, inject('sceneUrl')).href);
        return away;
      });
      const scripts = () => [...late].filter((address) => address.endsWith('.js'));
      await expect.poll(() => scripts().length).toBeGreaterThan(1);
      // The page's own loads of them, with what they need, are over then.
      const loads = scripts().map((address) => `import(${JSON.stringify(address)})`);
      await page.evaluate(`Promise.all([${loads.join()}]).then(() => undefined)`);
      away = true;
      await page.getByRole('link', { name: 'History' }).click();
      await expect(page.getByRole('heading', { name: 'History', level: 1 })).toBeVisible();
      await page.context().close();
    });
  },
);
