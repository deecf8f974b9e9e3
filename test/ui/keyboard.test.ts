import type { Page } from '@playwright/test';
import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';
import { focused, pressAt, tabTo } from './support/walk.ts';

// Every task by keys alone. No pointer is used in this file.
inBrowser('by keyboard alone', ({ shown }) => {
  const open = async (query: string, hash = '#/popover', size = { width: 400, height: 900 }): Promise<Page> =>
    shown().open({ name: hash, query, hash, size }, { colorScheme: 'light' });

  test('a job is kept, and the keep is undone where it was pressed', async () => {
    const page = await open('scene=busy');
    await pressAt(page, /^button Keep 30 min: pytest/u);
    await expect(page.getByText(/^Kept until/u)).toBeVisible();
    await shown().settled();
    // In the place of its card: the next card, not a button of it.
    expect(await focused(page)).toMatch(/^article /u);
    await pressAt(page, /^button Undo$/u);
    await expect(page.getByText(/^Kept until/u)).toHaveCount(0);
  });

  test('a job is ended with Enter on its End button', async () => {
    const page = await open('scene=reaping');
    await pressAt(page, /^button End 6 processes/u);
    await expect(page.getByText('Verifying the processes…')).toBeVisible();
  });

  test('all leftovers are ended after a preview; Enter on the fresh preview ends nothing', async () => {
    const page = await open('scene=leftovers');
    await pressAt(page, /^button End all…/u);
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await shown().settled();
    await page.keyboard.press('Enter');
    await shown().settled();
    expect(await page.evaluate(() => window.scene.engine.snapshot.reapings.length)).toBe(0);
    await pressAt(page, /^button End 4 jobs/u);
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect
      .poll(async () => page.evaluate(() => window.scene.engine.snapshot.reapings.length), { timeout: 60_000 })
      .toBe(4);
  });

  test('watching is paused from a menu and resumed', async () => {
    const page = await open('scene=busy');
    await pressAt(page, /^button Pause/u);
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await shown().settled();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Paused/u);
    await pressAt(page, /^button Resume/u);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 jobs need a look');
  });

  test('a job is searched for, opened, and never ended from then on', async () => {
    const page = await open('scene=busy');
    await page.keyboard.press('/');
    await page.keyboard.type('pytest');
    await expect(page.locator('main article, main button[data-row]')).toHaveCount(1);
    await pressAt(page, /^button More about pytest/u);
    await pressAt(page, /^button Never end…/u);
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await shown().settled();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Spared from now on, up to the hard cap.')).toBeVisible();
    await pressAt(page, /^button Undo$/u);
    await expect(page.getByText('Spared from now on, up to the hard cap.')).toHaveCount(0);
  });

  test('a limit is changed and saved', async () => {
    const page = await open('scene=busy', '#/settings/limits', { width: 860, height: 900 });
    await tabTo(page, /^textbox Notice/u);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('2 min');
    await pressAt(page, /^button Save changes/u);
    await expect(page.getByRole('textbox', { name: 'Notice' })).toHaveValue('2 min');
    await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden();
    expect(await page.evaluate(() => window.scene.engine.snapshot.settings.values.noticeSeconds)).toBe(120);
  });

  test('the history is filtered, and an incident is opened and spared from now on', async () => {
    const page = await open('scene=busy', '#/history', { width: 1040, height: 900 });
    await pressAt(page, /^combobox .*Outcome/u);
    await expect(page.getByRole('option').first()).toBeVisible();
    await shown().settled();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Clear' })).toBeVisible();
    await shown().settled();
    await tabTo(page, /^(?:listbox|option) /u);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Never end…' })).toBeVisible();
    await pressAt(page, /^button Never end…/u);
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    await shown().settled();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Spared from now on, up to the hard cap.')).toBeVisible();
  });

  test('the first run: a choice, its question, the setup, and the jobs', async () => {
    const page = await open('scene=first-run', '#/welcome', { width: 560, height: 860 });
    await tabTo(page, /^radio Enforce/u);
    await page.keyboard.press('Space');
    await expect(page.getByRole('radio', { name: /^Enforce/u })).toBeChecked();
    await pressAt(page, /^button Continue/u);
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await shown().settled();
    await pressAt(page, /^button Enforce/u);
    await expect(page.getByRole('heading', { level: 1, name: 'Two minutes to set up' })).toBeFocused();
    const notify = await tabTo(page, /^switch Notify before a job is ended/u);
    // A look draws the view anew.
    await page.evaluate(() => {
      window.scene.engine.look();
    });
    await shown().settled();
    expect(await focused(page)).toBe(notify);
    await page.keyboard.press('Space');
    await expect(page.getByRole('switch', { name: 'Notify before a job is ended' })).not.toBeChecked();
    await pressAt(page, /^button Done/u);
    await expect(page).toHaveURL(/#\/popover$/u);
  });

  test('what asks before it ends gives the focus back where it was', async () => {
    const page = await open('scene=unreachable');
    for (const name of [/^button End tmux session/u, /^button End Codex CLI, process/u]) {
      await pressAt(page, name);
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await shown().settled();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('alertdialog')).toHaveCount(0);
      await shown().settled();
      // Where it was before.
      expect(await focused(page)).toMatch(name);
    }
  });
});
