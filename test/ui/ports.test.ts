import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';

const size = { width: 860, height: 640 };

inBrowser('the ports', ({ shown }) => {
  const open = async (query: string, hash = '#/ports') =>
    shown().open({ name: query, query, hash, size }, { colorScheme: 'light' });

  test('of agents name job, worktree, client and lock; the user’s own have no End', async () => {
    const page = await open('scene=leftovers');
    const own = page.getByRole('region', { name: 'Your own programs' });
    await expect(own).toContainText('postgres -D /home/mara/data');
    await expect(own.getByRole('button', { name: /^End/u })).toHaveCount(0);
    const first = page.getByRole('region', { name: 'Of agents' }).getByRole('listitem').first();
    await expect(first).toContainText(/job [0-9a-f]+ of Claude Code/u);
    await expect(first).toContainText('branch fix/login in a worktree of its own');
    await expect(first).toContainText('connected: firefox (process 901)');
    await expect(first).toContainText('.next/dev/lock, held');
  });

  test('what listens is ended after a preview of its processes', async () => {
    const page = await open('scene=leftovers');
    const button = page.getByRole('button', { name: /^End what listens on port/u }).first();
    const port = /port (?<port>\d+)/u.exec((await button.getAttribute('aria-label')) ?? '')?.groups?.['port'];
    await button.click();
    const dialog = page.getByRole('alertdialog', { name: `End what listens on port ${port}?` });
    await expect(dialog.getByRole('row')).not.toHaveCount(0);
    const asked = () => page.evaluate(() => window.scene.engine.snapshot.reapings.length);
    expect(await asked()).toBe(0);
    await dialog.getByRole('button', { name: 'End it' }).click();
    await expect.poll(asked, { timeout: 60_000 }).toBe(1);
  });

  test('a link to a port puts the focus there, and without any it says so', async () => {
    const page = await open('scene=leftovers', '#/ports/5432');
    await expect(page.locator('#port-5432')).toBeFocused();
    const empty = await open('scene=empty');
    await expect(empty.getByText('No process of yours listens on a port')).toBeVisible();
  });
});
