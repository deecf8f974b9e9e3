import type { Browser, BrowserContext, Page } from '@playwright/test';
import { english } from '../../../renderer/texts/en/index.ts';
import { german } from '../../../renderer/texts/de/index.ts';
import type { ViewSketch } from './view-sketch.ts';

/** Settings of the user's system. */
export interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly contrast?: 'more' | 'no-preference';
  readonly forcedColors?: 'active' | 'none';
}

/**
 * A page that shows one view of the scene after the other. Making one takes longer than most tests
 * that need it.
 */
export class ViewPage {
  readonly page: Page;
  readonly #url: string;
  #complaints: string[] = [];

  private constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      // Opened by a key, a dialog hides the page one frame before it takes the focus. Chromium
      // refuses to hide what has the focus, says so, and all is well in the next frame.
      if (message.text().startsWith('Blocked aria-hidden on an element')) return;
      this.#complaints.push(message.text());
    });
  }

  /** A page in a context of its own; `density` is how many pixels a pixel of CSS has. */
  static async make(browser: Browser, url: string, density: number): Promise<ViewPage> {
    const context: BrowserContext = await browser.newContext({
      deviceScaleFactor: density,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    // Pictures are the same every day.
    await page.clock.install({ time: new Date('2026-11-21T10:42:00Z') });
    return new ViewPage(page, url);
  }

  /** Applies settings of the user's system to a view. */
  async look(look: Look): Promise<void> {
    await this.#set(look);
    // Colours are on their way for a moment after the system changed them.
    await this.page.waitForFunction(() => document.getAnimations().length === 0);
  }

  async #set({ colorScheme, contrast = 'no-preference', forcedColors = 'none' }: Look): Promise<void> {
    await this.page.emulateMedia({ colorScheme, contrast, forcedColors, reducedMotion: 'reduce' });
  }

  /** Reloads a view and brings it into its state, fully drawn. */
  async open(view: ViewSketch, look: Look): Promise<Page> {
    const { page } = this;
    // Two views may differ after the `#` only, and going from one to the other would load nothing.
    // The blank page is the scene's own, not `about:blank`: from there Chromium starts a new
    // process for each view, and all of its code is compiled again (half of a view's time).
    await page.goto(`${this.#url}blank.html`);
    this.#complaints = [];
    await page.mouse.move(0, 0);
    await page.setViewportSize(view.size);
    await this.#set(look);
    await page.goto(`${this.#url}?${view.query}&still${view.hash}`);
    // One wait, and in the page's own world like those that follow: for the first in a world
    // Playwright puts all of its code into it.
    await page.waitForFunction(
      ({ ready, loads, waits }) => {
        if (document.querySelector(ready) === null) return false;
        const leaves = [...document.querySelectorAll('body *')].filter(
          ({ childElementCount }) => childElementCount === 0,
        );
        return loads || !leaves.some(({ textContent }) => waits.includes(textContent.trim()));
      },
      // Every view has a heading, except those with a placeholder. Lazily loaded parts may be late
      // on a busy machine, and a picture of “Loading…” proves nothing, in any language.
      {
        ready: view.ready ?? 'h1',
        loads: view.name === 'popover-loading',
        waits: [english.common.loading, german.common.loading],
      },
    );
    await this.settled();
    if (view.before !== undefined) {
      await view.before(page);
      await this.settled();
    }
    return page;
  }

  /** Waits until the page has settled. */
  async settled(): Promise<void> {
    await this.page.evaluate(() => window.scene.settled());
  }

  /** What the page complained about since its view was opened. */
  complaints(): readonly string[] {
    return this.#complaints;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}
