import type { Page } from '@playwright/test';

/** How far something sticks out to the side, px: of the page, and of whatever scrolls in it. */
export const overflow = async (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const out = scrollWidth > clientWidth ? [`page: ${scrollWidth - clientWidth}`] : [];
    return out.concat(
      [...document.querySelectorAll<HTMLElement>('main, main *')].flatMap((element) => {
        const { overflowX } = getComputedStyle(element);
        const more = element.scrollWidth - element.clientWidth;
        const scrolls = overflowX === 'auto' || overflowX === 'scroll';
        // Code and tables may be wider than a window, and say so by a scroll bar of their own.
        return scrolls && more > 0 && !element.matches('pre, [tabindex]') ? [`${element.className}: ${more}`] : [];
      }),
    );
  });
