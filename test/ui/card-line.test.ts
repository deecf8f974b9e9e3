import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';

/** The popover as it opens, the narrowest page, and a popover at 200 %. */
const sizes = [
  { width: 360, height: 560 },
  { width: 400, height: 560 },
  { width: 320, height: 640 },
  { width: 200, height: 350 },
] as const;

const scenes = ['busy', 'leftovers', 'problems', 'paused'] as const;

/** Facts of which only a part is drawn, though there is room for none or all of it. */
const cutFacts = async (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const cut: string[] = [];
    for (const list of document.querySelectorAll<HTMLElement>('article ul')) {
      list.scrollIntoView({ block: 'center' });
      const line = list.getBoundingClientRect();
      for (const fact of [...list.children].slice(1)) {
        const { left, right, top, height } = fact.getBoundingClientRect();
        // What is left out for the ellipsis can't be hit, and no fact after it is drawn either.
        if (left >= line.right || !fact.contains(document.elementFromPoint(left + 9, top + height / 2))) break;
        if (right > line.right + 0.5) cut.push(fact.textContent);
      }
    }
    return cut;
  });

/** The left edges of the lines of facts in the head, px from its first. */
const lineStarts = async (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => {
    const facts = [...document.querySelectorAll('header li, header li > *')].map((fact) =>
      fact.getBoundingClientRect(),
    );
    const left = Math.min(...facts.map((fact) => fact.left));
    const lines = Map.groupBy(facts, ({ top }) => Math.round(top));
    return [...lines.values()].map((line) => Math.round(Math.min(...line.map((fact) => fact.left)) - left));
  });

inBrowser('the lines of facts on a card and in the head', ({ shown }) => {
  const open = async (query: string, size: (typeof sizes)[number]) =>
    shown().open({ name: query, query, hash: '#/popover', size }, { colorScheme: 'light' });

  for (const language of ['en', 'de'])
    test.for(scenes)(`%s, ${language}: a card shows whole facts, and an ellipsis for the others`, async (scene) => {
      for (const size of sizes) {
        const page = await open(`scene=${scene}&language=${language}`, size);
        expect({ size, cut: await cutFacts(page) }).toEqual({ size, cut: [] });
      }
    });

  for (const language of ['en', 'de'])
    test.for(scenes)(`%s, ${language}: the name of a project keeps most of its letters`, async (scene) => {
      for (const size of sizes.filter(({ width }) => width >= 360)) {
        const page = await open(`scene=${scene}&language=${language}`, size);
        const names = page.locator('article header h3');
        const cut = await names.evaluateAll((all) =>
          all.filter((name) => name.clientWidth < 0.6 * name.scrollWidth).map((name) => name.textContent),
        );
        expect(await names.count()).toBeGreaterThan(0);
        expect({ size, cut }).toEqual({ size, cut: [] });
      }
    });

  test('a fact that does not fit is left out as a whole', async () => {
    const page = await open('scene=busy', sizes[0]);
    const facts = page.getByRole('article', { name: 'shop-frontend' }).getByRole('list', { name: 'Why it’s listed' });
    const [line, last] = await facts.evaluate((list) => [
      list.getBoundingClientRect().right,
      list.lastElementChild?.getBoundingClientRect().right ?? 0,
    ]);
    // There is more than the line holds, or this test proves nothing.
    expect(last).toBeGreaterThan(line ?? Number.MAX_VALUE);
    expect(await facts.evaluate((list) => getComputedStyle(list).textOverflow)).toBe('ellipsis');
    // All facts are there for a screen reader.
    expect(await facts.getByRole('listitem').count()).toBeGreaterThan(3);
  });

  for (const language of ['en', 'de'])
    test(`${language}: no card moves because of how long ago the last check was`, async () => {
      for (const size of sizes) {
        const page = await open(`scene=problems&language=${language}`, size);
        const places = new Map<number, unknown>();
        for (const seconds of [0, 4, 12, 50]) {
          const at = await page.evaluate((ago) => {
            const { engine } = window.scene;
            const lastLookAt = new Date(Date.now() - ago * 1000).toISOString();
            engine.change({ health: { ...engine.snapshot.health, lastLookAt } });
            return lastLookAt;
          }, seconds);
          await shown().settled();
          expect(await page.locator('header time').getAttribute('datetime')).toBe(at);
          places.set(seconds, await page.getByRole('article').first().boundingBox());
        }
        expect({ size, places }).toEqual({
          size,
          places: new Map([...places.keys()].map((age) => [age, places.get(0)])),
        });
      }
    });

  for (const language of ['en', 'de'])
    test(`${language}: “Check now” never falls out of line, and stays with the time of the last check`, async () => {
      for (const size of sizes) {
        const page = await open(`scene=paused&language=${language}`, size);
        const starts = await lineStarts(page);
        expect({ size, starts }).toEqual({ size, starts: starts.map(() => 0) });
        if (size.width < 320) continue;
        const [checked, button] = await page.evaluate(() => {
          const check = document.querySelector('header button');
          const before = check?.previousElementSibling;
          return [before?.getBoundingClientRect().bottom, check?.getBoundingClientRect().bottom].map((y) =>
            Math.round(y ?? 0),
          );
        });
        expect({ size, button }).toEqual({ size, button: checked });
      }
    });
});
