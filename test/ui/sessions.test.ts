import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';

const size = { width: 860, height: 640 };

inBrowser('the sessions window', ({ shown }) => {
  const open = async (query: string, hash = '#/sessions') =>
    shown().open({ name: query, query, hash, size }, { colorScheme: 'light' });

  test('every session has a row with its costs, and the totals are above', async () => {
    const page = await open('scene=busy');
    const table = page.getByRole('table').last();
    await expect(table.getByRole('row')).toHaveCount(5);
    await expect(table.getByRole('row').nth(1)).toContainText('shop');
    await expect(table.getByRole('row').nth(1)).toContainText(/1\.5\sGB/u);
    await expect(page.getByText(/5 sessions · .* · 2\.8\sGB · 120\sMB in swap · 6 jobs · 20 servers/u)).toBeVisible();
    await expect(page.getByText('7 copies in 3 sessions')).toBeVisible();
  });

  test('agents that can’t be reached have a section of their own, with the reason', async () => {
    const page = await open('scene=busy');
    const own = page.getByRole('region', { name: 'Agents that can’t be reached any more' }).last();
    await expect(own.getByRole('row')).toHaveCount(2);
    await expect(own).toContainText('its terminal is hung up, so no input can reach it; quiet for 17 h as observed');
  });

  test('memory that could not be measured is an upper bound, and says nothing of what ending frees', async () => {
    const page = await open('scene=busy');
    const row = page.getByRole('row', { name: /GitHub Copilot/u });
    await expect(row).toContainText(/at most 80\sMB/u);
    await expect(row).not.toContainText('frees');
  });

  test('without sessions it says so', async () => {
    const page = await open('scene=empty');
    await expect(page.getByText('No session is running')).toBeVisible();
  });

  test('all that a closed session left is ended from its row, after a preview', async () => {
    const page = await open('scene=leftovers');
    await page.getByRole('button', { name: /^End this session’s 2 leftovers… landing-page, 1.2.GB/u }).click();
    const dialog = page.getByRole('alertdialog', { name: 'End 2 leftovers?' });
    await expect(dialog.getByRole('listitem')).toHaveCount(2);
    await dialog.getByRole('button', { name: 'End 2 jobs' }).click();
    const asked = () => page.evaluate(() => window.scene.engine.snapshot.reapings.map(({ job }) => job).toSorted());
    await expect.poll(asked, { timeout: 60_000 }).toEqual(['6d1f', '7e20']);
    await expect(page.getByRole('button', { name: /^End this session/u })).toHaveCount(0);
  });

  test('older sets of servers are ended after a preview, and the button says how many and what they take', async () => {
    const page = await open('scene=busy');
    await page.getByRole('button', { name: /^End 14 older sets, 6.2.GB…: npm exec/u }).click();
    const dialog = page.getByRole('alertdialog', { name: 'End 14 older sets?' });
    await expect(dialog).toContainText('The youngest stays.');
    await expect(dialog).toContainText(/frees 5.4.GB/u);
    await dialog.getByRole('button', { name: 'End it' }).click();
    await expect(dialog).toHaveCount(0);
  });

  test('it is one click away in a browser tab', async () => {
    const page = await open('scene=busy&surface=page', '#/popover');
    await page.getByRole('link', { name: 'Sessions' }).click();
    await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeVisible();
  });
});
