import type { Browser, Page } from '@playwright/test';
import type { ViewSketch } from './views.ts';

/** How the system of the person is set. */
export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly contrast?: 'more' | 'no-preference';
  readonly forcedColors?: 'active' | 'none';
}

/** Opens a view in a context of its own and brings it into its state. Whatever the page complains about is collected. */
export const openView = async (
  browser: Browser,
  url: string,
  view: ViewSketch,
  look: Look,
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> => {
  const context = await browser.newContext({
    viewport: view.size,
    deviceScaleFactor: 2,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: look.colorScheme,
    contrast: look.contrast ?? 'no-preference',
    forcedColors: look.forcedColors ?? 'none',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  // Pictures are the same every day.
  await page.clock.install({ time: new Date('2026-11-21T10:42:00Z') });
  await page.goto(`${url}?${view.query}&still${view.hash}`);
  // Every view has a heading; only what stands in for one has none.
  await page
    .locator(view.ready ?? 'h1')
    .first()
    .waitFor({ state: 'attached' });
  // What is fetched only when it is shown may be late on a busy machine, and a picture of “Loading…” proves nothing.
  if (view.name !== 'popover-loading') {
    await page.getByText('Loading…', { exact: true }).first().waitFor({ state: 'detached' });
  }
  await page.waitForTimeout(250);
  await view.before?.(page);
  return { page, complaints };
};
