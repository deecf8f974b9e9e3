import type { Page } from '@playwright/test';

/** More stops than any view has. */
const maxStops = 120;

/** What has the focus, as a screen reader names it: role and name. */
export const focused = async (page: Page): Promise<string> => {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const holders = nodes.filter(({ properties }) =>
    properties?.some(({ name, value }) => name === 'focused' && value.value === true),
  );
  const { role, name } = holders.at(-1) ?? {};
  return `${String(role?.value ?? '')} ${String(name?.value ?? '')}`.trim();
};

/**
 * Presses Tab until something of this role and name has the focus, as a user without a pointer
 * does. Throws with what was passed when there is no such stop.
 */
export const tabTo = async (page: Page, wanted: RegExp): Promise<string> => {
  const passed: string[] = [];
  for (let stop = 0; stop < maxStops; stop += 1) {
    await page.keyboard.press('Tab');
    const here = await focused(page);
    if (wanted.test(here)) return here;
    passed.push(here);
  }
  throw new Error(`${String(wanted)} is not among ${[...new Set(passed)].join(' | ')}`);
};

/** Goes there with Tab and presses a key on it, Enter if left out. */
export const pressAt = async (page: Page, wanted: RegExp, key = 'Enter'): Promise<void> => {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
};
