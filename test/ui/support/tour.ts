import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { ViewPage } from './open-view.ts';
import { pressReap, step } from './views.ts';

/** What the README shows of a scene: a job that is stuck, why, and its end. */
interface Scene {
  readonly act: (page: Page) => Promise<void>;
  /** How long it is shown, milliseconds. */
  readonly shownMs: number;
}

const scenes: readonly Scene[] = [
  { act: async () => {}, shownMs: 2600 },
  {
    act: async (page) => {
      await page
        .getByRole('button', { name: /^More about/u })
        .first()
        .click();
      const why = page.getByRole('heading', { name: 'Why it’s listed' });
      await why.waitFor();
      await why.evaluate((heading) => {
        heading.scrollIntoView({ block: 'center' });
      });
    },
    shownMs: 3200,
  },
  {
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Less about/u })
        .first()
        .click();
      await pressReap(page);
      await step(page, 'TERM sent.');
    },
    shownMs: 1600,
  },
  { act: async (page) => step(page, /[1-5] of 6 still running/u), shownMs: 1400 },
  { act: async (page) => step(page, /Freed .*\./u), shownMs: 3200 },
];

/** Pictures are shown at half their size, so that they are sharp on dense screens. */
const density = 2;

/** Writes the tour in one colour scheme as an animated WebP that repeats for ever. */
export const writeTour = async (
  browser: Browser,
  url: string,
  colorScheme: 'light' | 'dark',
  path: string,
): Promise<void> => {
  const shown = await ViewPage.make(browser, url, density);
  const view = { name: 'tour', query: 'scene=busy', hash: '#/popover', size: { width: 400, height: 560 } };
  const page = await shown.open(view, { colorScheme });
  const pictures: Buffer[] = [];
  for (const { act } of scenes) {
    await act(page);
    await shown.settled();
    pictures.push(await page.screenshot());
  }
  await shown.close();
  await sharp(pictures, { join: { animated: true } })
    .webp({ quality: 78, effort: 6, smartSubsample: true, loop: 0, delay: scenes.map(({ shownMs }) => shownMs) })
    .toFile(path);
};
