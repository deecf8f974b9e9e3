import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { colourful } from './accessible-looks.ts';
import { inBrowser } from './in-browser.ts';
import { overflow } from './overflow.ts';
import { violationsOf } from './violations.ts';
import type { ViewSketch } from './view-sketch.ts';

/** What a user acts on or writes into, by its role in the accessibility tree. */
const named = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'switch',
  'radio',
  'radiogroup',
  'tab',
  'menuitem',
  'option',
  'listbox',
  'dialog',
  'alertdialog',
  'img',
  'image',
  'progressbar',
  'table',
  'columnheader',
  'heading',
  'region',
  'navigation',
]);

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** What has no name in the accessibility tree, as a screen reader gets it. */
const unnamed = async (page: Page): Promise<readonly string[]> => {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const { nodes } = await (await session).send('Accessibility.getFullAXTree');
  const found = nodes.filter(
    ({ ignored, role, name }) => !ignored && named.has(String(role?.value)) && String(name?.value ?? '').trim() === '',
  );
  return found.map(({ role, backendDOMNodeId }) => `${String(role?.value)} ${backendDOMNodeId ?? ''}`);
};

const half = ({ size }: ViewSketch): ViewSketch['size'] => ({
  width: Math.max(320, Math.round(size.width / 2)),
  height: Math.max(320, Math.round(size.height / 2)),
});

/**
 * Tests that everything in `views` has a name, that nothing moves for a user who wants no motion,
 * and that all of it fits and is accessible at 320 px, at 200 % zoom (half of the size) and in
 * forced colours.
 */
export const completeInSmall = (name: string, views: readonly ViewSketch[]): void => {
  inBrowser(name, ({ shown }) => {
    test.for(views)('$name has a name for everything, and fits at 320 px and at 200 %', async (view) => {
      const page = await shown().open(view, { colorScheme: 'light' });
      const nameless = await unnamed(page);
      // The styles make every change take no time for a user who wants no motion.
      const moving = await page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) > 1)
          .map((animation) => (animation instanceof CSSTransition ? animation.transitionProperty : 'animation')),
      );
      const forced: readonly string[] = colourful.includes(view.name)
        ? []
        : await shown()
            .look({ colorScheme: 'dark', forcedColors: 'active' })
            .then(async () => violationsOf(page, 'colours'));
      const out: Record<string, readonly string[]> = {};
      for (const [zoom, size] of Object.entries({ '200 %': half(view), '320 px': { width: 320, height: 568 } })) {
        await page.setViewportSize(size);
        await shown().settled();
        out[zoom] = await overflow(page);
      }
      const narrow = await violationsOf(page, 'small');
      expect({ nameless, moving, forced, out, narrow }).toEqual({
        nameless: [],
        moving: [],
        forced: [],
        out: { '200 %': [], '320 px': [] },
        narrow: [],
      });
    });
  });
};
