import type { Page } from '@playwright/test';
import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';
import { violationsOf } from './support/violations.ts';

const size = { width: 400, height: 700 };

inBrowser('the command palette', ({ shown }) => {
  const open = async (query: string, hash = '#/popover') =>
    shown().open({ name: query, query, hash, size }, { colorScheme: 'light' });

  const type = async (page: Page, text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /^(?:Search commands|Befehle)/u });
    await expect(field).toBeFocused();
    await page.keyboard.type(text);
    await expect(page.getByRole('option').first()).toBeVisible();
  };

  const choose = async (page: Page, text: string, label: RegExp): Promise<void> => {
    await type(page, text);
    const first = page.getByRole('option').first();
    await expect(first).toHaveText(label);
    // Enter takes what is marked.
    await expect(first).toHaveAttribute('data-highlighted');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };

  /** What Enter would take. */
  const marked = async (page: Page): Promise<string> =>
    page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
      return document.querySelector(`#${CSS.escape(id)}`)?.textContent ?? '';
    });

  const snapshot = async <Value>(page: Page, read: string): Promise<Value> =>
    page.evaluate(`(${read})(window.scene.engine.snapshot)`);

  test('every place is reached by typing, from every view', async () => {
    const page = await open('scene=busy&surface=page');
    for (const [text, label, heading] of [
      ['sess', /^Sessions$/u, 'Sessions'],
      ['hist', /^History$/u, 'History'],
      ['ports', /^Ports$/u, 'Ports'],
      ['listens', /^What listens on port \d+\?/u, 'Ports'],
      ['limits', /^Settings: Limits$/u, 'Limits'],
      ['diagn', /^Settings: About and diagnostics$/u, 'About and diagnostics'],
      ['jobs', /^Jobs$/u, '2 jobs need a look'],
    ] as const) {
      await choose(page, text, label);
      await expect(page.getByRole('heading', { name: heading }).first()).toBeAttached();
    }
  });

  test('pausing, checking, mode and appearance are done by name', async () => {
    const page = await open('scene=busy');
    await choose(page, 'pause 15', /^Pause: For 15 min$/u);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Paused/u);
    await expect(page.getByText('Done: Pause: For 15 min')).toBeAttached();
    await choose(page, 'resume', /^Resume$/u);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 jobs need a look');
    await choose(page, 'only obs', /^Only observe$/u);
    expect(await snapshot(page, '({ mode }) => mode')).toBe('observe');
    await choose(page, 'appearance dark', /^Appearance: Dark$/u);
    await choose(page, 'deutsch', /^Language: Deutsch$/u);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Jobs brauchen Aufmerksamkeit/u);
  });

  test('a job is found by command, project or agent; its End is gone to, and nothing is ended', async () => {
    const page = await open('scene=busy');
    await choose(page, 'codex pytest', /^pytest/u);
    await expect(page.locator('#job-b2c4')).toBeFocused();
    await choose(page, 'end… pytest', /^End… pytest/u);
    await expect(page.getByRole('button', { name: /^End 9 processes: pytest/u })).toBeFocused();
    expect(await snapshot(page, '({ reapings }) => reapings.length')).toBe(0);
    // A running job is a row; its card opens first.
    await choose(page, 'end… cargo', /^End… cargo/u);
    await expect(
      page.getByRole('button', { name: /cargo watch/u }).and(page.locator('[data-act="end"]')),
    ).toBeFocused();
    await choose(page, 'keep pytest', /^Keep 30 min: pytest/u);
    await expect(page.getByRole('region', { name: 'Kept by you' })).toContainText('pytest');
    await choose(page, 'copy command cargo', /^Copy command: cargo/u);
    expect(await page.evaluate(() => window.scene.engine.copied)).toBe('cargo watch -x test');
    await choose(page, 'folder cargo', /^Open folder of cargo/u);
    expect(await page.evaluate(() => window.scene.engine.opened)).toBe('/home/mara/work/engine');
    await choose(page, '5173', /^Open :5173 in the browser/u);
    expect(await page.evaluate(() => window.scene.engine.opened)).toBe(':5173');
  });

  test('the end of all leftovers opens its preview, and ends nothing by itself', async () => {
    const page = await open('scene=leftovers');
    await type(page, 'end all');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog', { name: 'End 4 leftovers?' })).toBeVisible();
    expect(await snapshot(page, '({ reapings }) => reapings.length')).toBe(0);
    // While a question is open, the palette stays away.
    await page.keyboard.press('Control+k');
    await shown().settled();
    await expect(page.getByRole('combobox')).toHaveCount(0);
  });

  test('arrows choose, Escape leaves, and the focus returns to where it was', async () => {
    const page = await open('scene=busy');
    await page.keyboard.press('j');
    await expect(page.locator('#job-a1f3')).toBeFocused();
    await type(page, 'settings');
    await expect.poll(() => marked(page)).toBe('Settings: General');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => marked(page)).toBe('Settings: Limits');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.locator('#job-a1f3')).toBeFocused();
    // The same keys open and close it; letters typed in it reach no job.
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
    await page.keyboard.type('rK?');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.locator('#job-a1f3')).toBeFocused();
    expect(await snapshot(page, '({ jobs }) => jobs.some(({ keptUntil }) => keptUntil !== null)')).toBe(false);
  });

  test('what is marked stays so at a look, also where the jobs above it have ended', async () => {
    const page = await open('scene=busy');
    await type(page, 'keep');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => marked(page)).toMatch(/^Keep 30 min: pytest/u);
    const options = await page.getByRole('option').allTextContents();
    await page.evaluate(() => {
      const { engine } = window.scene;
      engine.look();
      engine.change({ jobs: engine.snapshot.jobs.filter(({ id }) => id !== 'a1f3') });
    });
    await shown().settled();
    expect(await marked(page)).toMatch(/^Keep 30 min: pytest/u);
    expect(await page.getByRole('option').allTextContents()).toEqual(options);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Kept by you' })).toContainText('pytest');
  });

  test('search and the list of keys are offered where they are, and say what the palette’s key is', async () => {
    const page = await open('scene=busy');
    await choose(page, 'search jobs', /^Search jobs$/u);
    await expect(page.getByRole('searchbox', { name: 'Search jobs' })).toBeFocused();
    await page.keyboard.press('Escape');
    await type(page, 'shortcuts');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('CtrlKAll commands');
    const history = await open('scene=busy', '#/history');
    await type(history, 's');
    await history.keyboard.type('earch jobs');
    await expect(history.getByText('No matching command.')).toBeVisible();
  });

  test('a refusal keeps it open and is told in it', async () => {
    const page = await open('scene=busy');
    await page.evaluate(() => {
      window.scene.breakEverything();
    });
    await type(page, 'check now');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    await expect(page.getByRole('combobox')).toBeFocused();
  });

  test.for(['en', 'de'])('%s: no violation, light or dark, and nothing sticks out when narrow', async (language) => {
    const page = await open(`scene=hostile&language=${language}`);
    await type(page, 'e');
    expect(await violationsOf(page, 'over-everything')).toEqual([]);
    await shown().look({ colorScheme: 'dark', forcedColors: 'active' });
    expect(await violationsOf(page, 'colours')).toEqual([]);
    await shown().look({ colorScheme: 'dark' });
    expect(await violationsOf(page, 'colours')).toEqual([]);
    await page.setViewportSize({ width: 200, height: 350 });
    await shown().settled();
    const box = await page.getByRole('dialog').boundingBox();
    expect(Math.round((box?.x ?? 0) + (box?.width ?? 999))).toBeLessThanOrEqual(200);
    // What programs call themselves is text here, too.
    // eslint-disable-next-line no-control-regex -- finding them is the point
    expect(await page.getByRole('listbox').innerText()).not.toMatch(/[\u0007\u001B\u202E]/u);
  });
});
