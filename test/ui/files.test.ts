import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';

const size = { width: 860, height: 700 };

inBrowser('the files window', ({ shown }) => {
  const open = async (query: string, hash = '#/files') =>
    shown().open({ name: query, query, hash, size }, { colorScheme: 'light' });

  test('each worktree and lock says whether it may go, and why not', async () => {
    const page = await open('scene=busy');
    const worktrees = page.getByRole('list', { name: 'Worktrees' }).getByRole('listitem');
    await expect(worktrees).toHaveCount(3);
    await expect(worktrees.nth(0)).toContainText('May go');
    await expect(worktrees.nth(1)).toContainText('May go by name');
    await expect(worktrees.nth(2)).toContainText('in use by process 4711');
    await expect(worktrees.nth(2)).toContainText('2 commits are on no remote and no other branch');
    await expect(worktrees.nth(2).getByRole('button')).toHaveCount(0);
    const locks = page.getByRole('list', { name: 'Locks' }).getByRole('listitem');
    await expect(locks.nth(1)).toContainText('the process that it names runs');
    await expect(locks.nth(1).getByRole('button')).toHaveCount(0);
  });

  test('one is removed after a preview of it, and stands among what was removed', async () => {
    const page = await open('scene=busy');
    await page.getByRole('button', { name: /^Remove .*fix-checkout…$/u }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove this?' });
    await expect(dialog.getByRole('listitem')).toHaveCount(1);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Worktrees' }).getByRole('listitem')).toHaveCount(2);
    const removed = page.getByRole('list', { name: 'Removed lately' }).getByRole('listitem').first();
    await expect(removed).toContainText('fix-checkout');
    await expect(removed).toContainText('by you, here');
  });

  test('all that may go goes at once without what needs its name, and what stayed is said', async () => {
    const page = await open('scene=busy');
    await page.getByRole('button', { name: /^Remove 3 entries… 3 entries may go: 1\.7.GB/u }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove 3 entries?' });
    await expect(dialog).not.toContainText('spike');
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByText('One entry stayed:')).toBeVisible();
    await expect(page.getByText('Nothing may go now.')).toBeVisible();
  });

  test('the palette opens it, and without anything it says so', async () => {
    const page = await open('scene=empty&surface=page', '#/popover');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('worktr');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible();
    await expect(page.getByText('Nothing was left')).toBeVisible();
  });
});
