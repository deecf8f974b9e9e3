import type { CDPSession, Page } from '@playwright/test';
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
export const unnamed = async (page: Page): Promise<readonly string[]> => {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const { nodes } = await (await session).send('Accessibility.getFullAXTree');
  const found = nodes.filter(
    ({ ignored, role, name }) => !ignored && named.has(String(role?.value)) && String(name?.value ?? '').trim() === '',
  );
  return found.map(({ role, backendDOMNodeId }) => `${String(role?.value)} ${backendDOMNodeId ?? ''}`);
};

/** What a page moves for a user who wants no motion: the styles let every change take no time. */
export const movingIn = async (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0) > 1)
      .map((animation) => (animation instanceof CSSTransition ? animation.transitionProperty : 'animation')),
  );

/** A window of a view at 200 % zoom, which is half of its size, and a narrow one, the last. */
export const smallSizes = ({ size }: ViewSketch): Readonly<Record<string, ViewSketch['size']>> => ({
  '200 %': { width: Math.max(320, Math.round(size.width / 2)), height: Math.max(320, Math.round(size.height / 2)) },
  '320 px': { width: 320, height: 568 },
});
