import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Injects axe into a freshly loaded page. */
const inject = async (page: Page): Promise<void> => {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
};

/**
 * What axe finds on a page as it is now, short enough to be read in a failed test. Only one run at
 * a time in a page.
 */
export const violationsOf = async (
  page: Page,
  rules: 'all' | 'colours' | 'over-everything' | 'small' = 'all',
): Promise<readonly string[]> => {
  await inject(page);
  const options: RunOptions = {
    resultTypes: ['violations'],
    runOnly: rules === 'colours' ? { type: 'rule', values: ['color-contrast'] } : { type: 'tag', values: tags },
    // A menu that opens over everything belongs to its button (it is said with it), not to a region
    // of the page.
    ...(rules === 'over-everything' ? { rules: { region: { enabled: false } } } : {}),
    // In a small window the bar of buttons lies over a field until that gets the focus, or is
    // scrolled to; settings.test.ts looks at that. Dialogs lie over the page, as menus do.
    ...(rules === 'small' ? { rules: { region: { enabled: false }, 'target-size': { enabled: false } } } : {}),
  };
  return page.evaluate(async (chosen) => {
    const { violations } = await (window as unknown as { readonly axe: typeof axe }).axe.run(document, chosen);
    return violations.flatMap((violation) =>
      violation.nodes.map(
        (node) => `${violation.id}: ${node.html.slice(0, 160)} (${(node.failureSummary ?? '').split('\n')[1] ?? ''})`,
      ),
    );
  }, options);
};
