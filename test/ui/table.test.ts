import type { Page } from '@playwright/test';
import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';
import { violationsOf } from './support/violations.ts';

const size = { width: 1280, height: 800 };

inBrowser('tables that the user sorts', ({ shown }) => {
  const open = async (query: string, hash = '#/popover') =>
    shown().open({ name: query, query, hash, size }, { colorScheme: 'light' });

  const openTable = async (query = 'scene=busy&surface=page'): Promise<Page> => {
    const page = await open(query);
    await page.evaluate(() => {
      localStorage.clear();
    });
    await page.reload();
    await page.getByRole('button', { name: /^(?:Table|Tabelle)$/u }).click();
    await page.getByRole('table').waitFor();
    return page;
  };

  const jobs = (page: Page) => page.getByRole('table', { name: 'All jobs' }).locator('button[data-row]');
  const first = (page: Page) => jobs(page).first();

  test('a wide page shows all jobs in a table, the worst first, with sparklines', async () => {
    const page = await openTable();
    await expect(jobs(page)).toHaveCount(5);
    await expect(first(page)).toContainText('npx -y marked');
    await expect(page.getByRole('columnheader', { name: 'State' })).toHaveAttribute('aria-sort', 'ascending');
    const row = page.getByRole('row', { name: /cargo watch/u });
    await expect(row.getByRole('img', { name: /^CPU, last 10 min: now 84.%/u })).toBeVisible();
    await expect(row.getByRole('img', { name: /^Memory, last 10 min/u })).toBeVisible();
  });

  test('by keyboard: a head sorts, a second press turns it round, and the choice is remembered', async () => {
    const page = await openTable();
    await page.getByRole('button', { name: 'CPU' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('columnheader', { name: 'CPU' })).toHaveAttribute('aria-sort', 'descending');
    await expect(page.locator('th[aria-sort]')).toHaveCount(1);
    await expect(first(page)).toContainText('cargo watch');
    await page.getByRole('button', { name: 'Memory' }).focus();
    await page.keyboard.press('Space');
    await expect(first(page)).toContainText('pytest');
    await page.keyboard.press('Space');
    await expect(page.getByRole('columnheader', { name: 'Memory' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(jobs(page).last()).toContainText('pytest');
    await expect(page.getByRole('button', { name: 'Memory' })).toBeFocused();
    await page.reload();
    await expect(page.getByRole('columnheader', { name: 'Memory' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(jobs(page).last()).toContainText('pytest');
  });

  test('a row opens the card of its job, and the focus returns to it', async () => {
    const page = await openTable();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect(jobs(page).nth(1)).toBeFocused();
    await page.keyboard.press('Enter');
    const card = page.getByRole('article', { name: 'api' });
    await expect(card.getByRole('button', { name: /^End 9 processes/u })).toBeVisible();
    await card.getByRole('button', { name: /^Less about/u }).click();
    await expect(card).toHaveCount(0);
    await expect(jobs(page).nth(1)).toBeFocused();
  });

  test('a row has its own actions, and several are chosen by key and ended together', async () => {
    const page = await openTable('scene=leftovers&surface=page');
    const row = page.getByRole('row', { name: /tsc --watch/u });
    await row.getByRole('button', { name: /^Keep 30 min: npx tsc/u }).click();
    await expect(row.getByRole('button', { name: 'Undo keep' })).toBeVisible();
    const bar = page.getByRole('region', { name: 'Chosen jobs' });
    await expect(bar).toHaveCount(0);
    await first(page).focus();
    for (const key of ['x', 'j', 'x', 'j', 'x', 'x']) await page.keyboard.press(key);
    await expect(bar).toContainText('2 chosen');
    await page.keyboard.press('Shift+R');
    await expect(bar.getByRole('button', { name: /^End 2…/u })).toBeFocused();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'End 2 leftovers?' });
    await dialog.getByRole('button', { name: 'End 2 jobs' }).click();
    await expect(bar).toHaveCount(0);
    const asked = () => page.evaluate(() => window.scene.engine.snapshot.reapings.map(({ job }) => job).toSorted());
    await expect.poll(asked, { timeout: 60_000 }).toEqual(['8f31', 'a1f3']);
  });

  test('while the user is at the rows none of them moves, whatever the figures become', async () => {
    const page = await openTable();
    await page.getByRole('button', { name: 'CPU' }).click();
    await expect(first(page)).toContainText('cargo watch');
    await first(page).focus();
    await page.evaluate(() => {
      const { engine } = window.scene;
      const job = engine.job('e5f7');
      if (job !== undefined) engine.changeJob('e5f7', { holds: { ...job.holds, cpuPercent: 400 } });
    });
    await expect(page.getByRole('row', { name: /npm run dev/u })).toContainText(/400.%/u);
    await expect(first(page)).toContainText('cargo watch');
    await page.getByRole('button', { name: 'CPU' }).focus();
    await expect(first(page)).toContainText('npm run dev');
  });

  test('a narrow page has cards, whatever was chosen', async () => {
    const page = await openTable();
    await page.setViewportSize({ width: 700, height: 800 });
    await expect(page.getByRole('table', { name: 'All jobs' })).toHaveCount(0);
    await expect(page.getByRole('article').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Table' })).toHaveCount(0);
  });

  test('sessions are sorted by any column as well', async () => {
    const page = await open('scene=busy', '#/sessions');
    await page.evaluate(() => {
      localStorage.clear();
    });
    await page.reload();
    const table = page.getByRole('table').last();
    const ages = async (): Promise<readonly string[]> => {
      const cells = await table.locator('tbody tr td:nth-child(2)').allTextContents();
      return cells.map((text) => text.replace('\u00A0', ' '));
    };
    await expect(table.getByRole('columnheader', { name: 'Memory' })).toHaveAttribute('aria-sort', 'descending');
    const before = await ages();
    await table.getByRole('button', { name: 'Age' }).click();
    const oldest = await ages();
    await table.getByRole('button', { name: 'Age' }).click();
    expect(await ages()).toEqual(oldest.toReversed());
    expect(oldest.toSorted()).toEqual(before.toSorted());
    expect(oldest).not.toEqual(before);
  });

  test.for(['en', 'de'])('%s: the table has no violation in any look', async (language) => {
    const page = await openTable(`scene=leftovers&surface=page&language=${language}`);
    await page.getByRole('img').first().waitFor();
    await page.locator('button[data-row]').first().click();
    await page.getByRole('checkbox').first().check();
    await shown().settled();
    expect(await violationsOf(page)).toEqual([]);
    for (const look of [{ colorScheme: 'dark' }, { colorScheme: 'dark', forcedColors: 'active' }] as const) {
      await shown().look(look);
      expect(await violationsOf(page, 'colours')).toEqual([]);
    }
  });
});
