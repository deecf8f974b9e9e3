import { expect, test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { openView } from './support/open-view.ts';
import { violationsOf } from './support/violations.ts';
import { views } from './support/views.ts';

inBrowser('every view and state', ({ browser, url }) => {
  test.for(views)('$name has no violation, light or dark, and the page doesn’t complain', async (view) => {
    const { page, complaints } = await openView(browser(), url, view, { colorScheme: 'light' });
    const light = await violationsOf(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    // Everything else is the same in the dark.
    const dark = await violationsOf(page, 'colours');
    await page.context().close();
    expect({ light, dark, complaints }).toEqual({ light: [], dark: [], complaints: [] });
  });

  const sample = views.filter(({ name }) =>
    ['popover-busy', 'popover-survived', 'settings-limits', 'history-incident', 'welcome'].includes(name),
  );
  test.for(sample)('$name has no violation with high contrast and with forced colours', async (view) => {
    const { page } = await openView(browser(), url, view, { colorScheme: 'light', contrast: 'more' });
    const contrast = await violationsOf(page);
    await page.emulateMedia({ colorScheme: 'dark', contrast: 'more' });
    const contrastDark = await violationsOf(page);
    await page.emulateMedia({ colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'active' });
    const forced = await violationsOf(page);
    await page.context().close();
    expect({ contrast, contrastDark, forced }).toEqual({ contrast: [], contrastDark: [], forced: [] });
  });
});
