import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on a page as it is now, short enough to be read in a failed test. */
export const violationsOf = async (
  page: Page,
  rules: 'all' | 'colours' | 'over-everything' = 'all',
): Promise<readonly string[]> => {
  // Colours are on their way for a moment after the system changed them.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  const axe = new AxeBuilder({ page });
  if (rules === 'colours') axe.withRules(['color-contrast']);
  else axe.withTags(tags);
  // A menu that opens over everything belongs to its button (it is said with it), not to a region of the page.
  if (rules === 'over-everything') axe.disableRules(['region']);
  const { violations } = await axe.analyze();
  return violations.flatMap((violation) =>
    violation.nodes.map(
      (node) => `${violation.id}: ${node.html.slice(0, 160)} (${(node.failureSummary ?? '').split('\n')[1] ?? ''})`,
    ),
  );
};
