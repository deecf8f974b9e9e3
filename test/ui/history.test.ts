import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';

const size = { width: 1040, height: 700 };

inBrowser('the history window', ({ shown }) => {
  const open = async (query: string) =>
    shown().open({ name: query, query, hash: '#/history', size }, { colorScheme: 'light' });

  test('100,000 incidents: only what is in sight exists, and the end is one key away', async () => {
    const page = await open('scene=busy&history=100000');
    const list = page.getByRole('listbox', { name: 'Incidents' });
    await expect(page.getByText('100,000 incidents')).toBeVisible();
    await expect(list.getByRole('option').first()).toHaveAttribute('aria-setsize', '100000');
    expect(await list.getByRole('option').count()).toBeLessThan(60);
    await list.focus();
    await page.keyboard.press('End');
    await expect(list.locator('[aria-posinset="100000"]')).toContainText(/·/u);
  });

  test('the list goes down to the bottom, in a window and in a browser tab', async () => {
    for (const surface of ['desktop', 'page']) {
      const page = await open(`scene=busy&surface=${surface}`);
      const box = await page.getByRole('listbox', { name: 'Incidents' }).boundingBox();
      expect(Math.round((box?.y ?? 0) + (box?.height ?? 0)), surface).toBe(size.height);
    }
  });

  test('search narrows list and chart, and clearing brings everything back', async () => {
    const page = await open('scene=busy');
    await expect(page.getByText('412 incidents')).toBeVisible();
    await page.getByRole('searchbox').fill('pytest');
    await expect(page.getByText('412 incidents')).toHaveCount(0);
    await expect(page.getByRole('option').first()).toContainText('pytest');
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect(page.getByText('412 incidents')).toBeVisible();
  });

  test('an incident is opened by keyboard and shown whole', async () => {
    const page = await open('scene=busy');
    const list = page.getByRole('listbox', { name: 'Incidents' });
    await list.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const detail = page.getByRole('article');
    await expect(detail.getByText('Decision recorded')).toBeVisible();
    await expect(detail.getByText(/TERM to group 4710/u)).toBeVisible();
    await expect(detail.getByText('Last output')).toBeVisible();
  });

  test('a filter by outcome shows that outcome only', async () => {
    const page = await open('scene=busy');
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Killed', exact: true }).click();
    await expect(page.getByText('412 incidents')).toHaveCount(0);
    await shown().settled();
    const words = await page.getByRole('listbox', { name: 'Incidents' }).getByRole('option').allInnerTexts();
    expect(words.filter((text) => !text.startsWith('Killed'))).toEqual([]);
  });
});
