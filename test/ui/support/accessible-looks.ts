import { expect, test } from 'vitest';
import { inBrowser } from './in-browser.ts';
import type { Look } from './open-view.ts';
import { violationsOf } from './violations.ts';
import type { ViewSketch } from './view-sketch.ts';

/** Where every colour that there is can be seen: the other views have the same ones. */
export const colourful: readonly string[] = [
  'popover-more',
  'popover-problems',
  'popover-survived',
  'page-crowded',
  'page-welcome',
  'settings-limits',
  'settings-guard',
  'history-incident',
  'sessions',
  'welcome-chosen',
];

const highContrast: Readonly<Record<string, Look>> = {
  'high contrast': { colorScheme: 'light', contrast: 'more' },
  'high contrast, dark': { colorScheme: 'dark', contrast: 'more' },
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' },
};

/**
 * Whether a view is one of the popover in its window: two in five of all, and more than a third of
 * the time.
 */
export const inPopover = ({ name }: ViewSketch): boolean => name.startsWith('popover-');

/** Tests that axe finds nothing in any look of `views`, and that their pages don't complain. */
export const accessibleInEveryLook = (name: string, views: readonly ViewSketch[]): void => {
  inBrowser(name, ({ shown }) => {
    test.for(views)('$name has no violation in any look, and the page doesn’t complain', async (view) => {
      const page = await shown().open(view, { colorScheme: 'light' });
      const found: Record<string, readonly string[]> = { light: await violationsOf(page) };
      const looks = { dark: { colorScheme: 'dark' } as const, ...(colourful.includes(view.name) ? highContrast : {}) };
      // Everything but the colours is the same in all looks.
      for (const [look, set] of Object.entries(looks)) {
        await shown().look(set);
        found[look] = await violationsOf(page, 'colours');
      }
      expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([]);
    });
  });
};
