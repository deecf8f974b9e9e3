import { expect, test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import type { Look } from './support/open-view.ts';
import { violationsOf } from './support/violations.ts';
import { views } from './support/views.ts';

/** Where every colour that there is can be seen: the other views have the same ones. */
const colourful: readonly string[] = [
  'popover-more',
  'popover-problems',
  'popover-survived',
  'page-crowded',
  'page-welcome',
  'settings-limits',
  'settings-guard',
  'history-incident',
  'welcome-chosen',
];

const highContrast: Readonly<Record<string, Look>> = {
  'high contrast': { colorScheme: 'light', contrast: 'more' },
  'high contrast, dark': { colorScheme: 'dark', contrast: 'more' },
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' },
};

inBrowser('every view and state', ({ shown }) => {
  test.for(views)('$name has no violation in any look, and the page doesn’t complain', async (view) => {
    const page = await shown().open(view, { colorScheme: 'light' });
    const found: Record<string, readonly string[]> = { light: await violationsOf(page) };
    const looks = { dark: { colorScheme: 'dark' } as const, ...(colourful.includes(view.name) ? highContrast : {}) };
    // Everything but the colours is the same in all looks.
    for (const [name, look] of Object.entries(looks)) {
      await shown().look(look);
      found[name] = await violationsOf(page, 'colours');
    }
    expect(Object.entries(found).filter(([, violations]) => violations.length > 0)).toEqual([]);
  });

  test('the views with every colour are among all views', () => {
    expect(colourful.filter((name) => !views.some((view) => view.name === name))).toEqual([]);
  });
});
