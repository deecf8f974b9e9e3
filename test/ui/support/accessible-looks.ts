import { expect, test } from 'vitest';
import { inBrowser } from './in-browser.ts';
import type { Look } from './open-view.ts';
import { overflow } from './overflow.ts';
import { movingIn, smallSizes, unnamed } from './small-looks.ts';
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
  'files',
  'files-remove',
  'welcome-chosen',
];

/** Looks beside the light one; where every colour can be seen, with more contrast too. */
const looksOf = ({ name }: ViewSketch): Readonly<Record<string, Look>> => ({
  dark: { colorScheme: 'dark' },
  ...(colourful.includes(name)
    ? {
        'high contrast': { colorScheme: 'light', contrast: 'more' },
        'high contrast, dark': { colorScheme: 'dark', contrast: 'more' },
      }
    : {}),
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' },
});

/**
 * Whether a view is one of the popover in its window: two in five of all, and more than a third of
 * the time.
 */
export const inPopover = ({ name }: ViewSketch): boolean => name.startsWith('popover-');

/**
 * Tests that axe finds nothing in any look of `views`, that everything in them has a name, that
 * nothing moves for a user who wants no motion, that all of it fits and is accessible at 320 px and
 * at 200 % zoom, and that their pages don't complain. All of it at once: to open a view takes as
 * long as to look at it.
 */
export const accessibleInEveryLook = (name: string, views: readonly ViewSketch[]): void => {
  inBrowser(name, ({ shown }) => {
    test.for(views)('$name has no violation in any look, has all names, and fits where it is small', async (view) => {
      const page = await shown().open(view, { colorScheme: 'light' });
      const found: Record<string, readonly string[]> = {
        'without a name': await unnamed(page),
        'in motion': await movingIn(page),
        light: await violationsOf(page),
      };
      // Everything but the colours is the same in all looks.
      for (const [look, set] of Object.entries(looksOf(view))) {
        await shown().look(set);
        found[look] = await violationsOf(page, 'colours');
      }
      // The others are tried in forced colours.
      if (colourful.includes(view.name)) await shown().look({ colorScheme: 'light' });
      for (const [zoom, size] of Object.entries(smallSizes(view))) {
        await page.setViewportSize(size);
        await shown().settled();
        found[zoom] = await overflow(page);
      }
      found['small'] = await violationsOf(page, 'small');
      expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([]);
    });
  });
};
