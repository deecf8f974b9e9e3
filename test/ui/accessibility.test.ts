import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { openView } from './support/open-view.ts';
import { views } from './support/views.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds, short enough to be read in a failed test. */
const violationsOf = async (page: Page, rules: 'all' | 'colours' = 'all'): Promise<readonly string[]> => {
  // Colours are on their way for a moment after the system changed them.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === 'all' ? axe.withTags(tags) : axe.withRules(['color-contrast'])).analyze();
  return violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id}: ${node.html.slice(0, 160)} (${(node.failureSummary ?? '').split('\n')[1] ?? ''})`,
    ),
  );
};

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
