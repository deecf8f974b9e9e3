import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';
import { violationsOf } from './support/violations.ts';

const size = { width: 400, height: 900 };

inBrowser('links, totals and the shortcut', ({ shown }) => {
  const open = async (query: string, hash = '#/popover') =>
    shown().open({ name: query, query, hash, size }, { colorScheme: 'light' });

  test('a desktop opens the folder, the output file and the ports of a job', async () => {
    const page = await open('scene=busy');
    await page.getByText('npm run dev').click();
    const card = page.getByRole('article', { name: 'shop-frontend' }).last();
    const opened = (): Promise<string> => page.evaluate(() => window.scene.engine.opened);
    for (const [name, what] of [
      ['Open folder /home/mara/work/shop-frontend', '/home/mara/work/shop-frontend'],
      [/^Open output file /u, '/tmp/claude-1000/-home-mara/43c8e917/tasks/b83bdcc.output'],
      ['Open port 5173 in the browser', ':5173'],
    ] as const) {
      await card.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(opened).toBe(what);
    }
    expect(await violationsOf(page)).toEqual([]);
  });

  test('an upgrade and a week are told once; a rule and the end of the weekly summary are one press each', async () => {
    const page = await open('scene=busy&news');
    const told = (): Promise<unknown> => page.evaluate(() => window.scene.engine.told);
    const upgrade = page.getByRole('status').filter({ hasText: 'Curfew is now 0.1.0. New:' });
    await expect(upgrade).toContainText('Choose several jobs');
    const week = page.getByRole('status').filter({ hasText: /^Freed this week: 14.GB, 132 processes/u });
    await expect(week).toContainText(/\d times/u);
    expect(await violationsOf(page)).toEqual([]);
    await upgrade.getByRole('button', { name: 'Close' }).click();
    await expect(upgrade).toHaveCount(0);
    const rules = week.getByRole('button', { name: /^Never end/u });
    const offered = await rules.count();
    const exemptions = (): Promise<number> =>
      page.evaluate(() => window.scene.engine.snapshot.settings.values.exemptions.length);
    const before = await exemptions();
    await rules.first().click();
    await expect(week.getByText(/^Spared from now on/u)).toBeVisible();
    await expect(rules).toHaveCount(offered - 1);
    expect(await exemptions()).toBe(before + 1);
    await week.getByRole('button', { name: 'Undo' }).click();
    await expect(rules).toHaveCount(offered);
    expect(await exemptions()).toBe(before);
    await week.getByRole('button', { name: 'No weekly summary' }).click();
    await expect(week).toHaveCount(0);
    expect(await page.evaluate(() => window.scene.engine.snapshot.settings.values.notifications.digest)).toBe(false);
    expect(await told()).toMatchObject({ version: '0.1.0', week: '1' });
  });

  test('a machine without jobs shows made-up ones on request, which say so and never reach the engine', async () => {
    const page = await open('scene=empty');
    await page.getByRole('button', { name: 'Try it with example leftovers' }).click();
    await expect(page.getByText(/^An example: these jobs are made up/u)).toBeVisible();
    await expect(page.getByRole('article')).toHaveCount(4);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: /^End all… 4 leftovers/u }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End 3 jobs' }).click();
    await expect(page.getByRole('status').filter({ hasText: /^3 jobs ended: 2.3.GB/u })).toBeVisible();
    expect(await page.evaluate(() => window.scene.engine.snapshot.reapings)).toEqual([]);
    await page.getByRole('button', { name: 'Leave the example' }).click();
    await expect(page.getByText('All quiet')).toBeVisible();
  });

  test('a page copies paths instead, and its ports are links', async () => {
    const page = await open('scene=busy&surface=page&language=de');
    await page.getByText('npm run dev').click();
    const card = page.getByRole('article', { name: 'shop-frontend' }).last();
    await expect(card.getByRole('link', { name: ':5173' })).toHaveAttribute('href', 'http://localhost:5173/');
    await card.getByRole('button', { name: '/home/mara/work/shop-frontend kopieren' }).click();
    await expect(card.getByText('Kopiert').first()).toBeVisible();
    expect(await page.evaluate(() => window.scene.engine.copied)).toBe('/home/mara/work/shop-frontend');
    await expect(card.getByRole('button', { name: /öffnen$/u })).toHaveCount(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('what is on another machine is not opened here', async () => {
    const page = await open('scene=hostile');
    await page.getByRole('button', { name: /^More about npm test/u }).click();
    const card = page.getByRole('article', { name: 'shop' });
    await expect(card.getByRole('button', { name: 'Copy /srv/ci/shop' })).toBeVisible();
    await expect(card.getByRole('button', { name: /^Open/u })).toHaveCount(0);
  });

  test('the container to which a job is attached is named, its name as data', async () => {
    const page = await open('scene=hostile');
    await page.getByRole('button', { name: /^More about npm test/u }).click();
    const card = page.getByRole('article', { name: 'shop' });
    await expect(card.getByText('Container', { exact: true })).toBeVisible();
    const text = await card.getByText('image postgres:17').textContent();
    expect(text).toMatch(/shop-db, image postgres:17$/u);
    expect(text).not.toContain('\u202E');
    expect(await violationsOf(page)).toEqual([]);
  });

  test('what was freed this week stands beside what leftovers hold, else beside what was ended last', async () => {
    const left = await open('scene=leftovers');
    const freed = /^Freed this week: 14.GB, 132 processes$/u;
    await expect(left.getByText(freed)).toHaveCount(1);
    const bar = await left.getByText(/^4 leftovers hold/u).boundingBox();
    const button = await left.getByRole('button', { name: /^End all…/u }).boundingBox();
    // Both in one line: three cards are to fit below.
    expect(Math.abs((bar?.y ?? 0) - (button?.y ?? 999))).toBeLessThan(20);
    const calm = await open('scene=calm');
    await expect(calm.getByRole('region', { name: 'Recently ended' }).getByText(freed)).toBeVisible();
    await expect((await open('scene=empty')).getByText(/Freed this week/u)).toHaveCount(0);
    const german = await open('scene=leftovers&language=de');
    await expect(german.getByText(/^Diese Woche frei geworden: 14.GB, 132 Prozesse$/u)).toBeVisible();
  });

  test('the shortcut is off until it is chosen, and one that another program has is told in place', async () => {
    const page = await open('scene=busy', '#/settings/general');
    const choice = page.getByRole('combobox', { name: 'Shortcut for the popover' });
    await expect(choice).toHaveText('None');
    await choice.click();
    await page.getByRole('option', { name: 'Ctrl+Alt+C' }).click();
    await expect(choice).toHaveText('Ctrl+Alt+C');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await choice.click();
    await page.getByRole('option', { name: 'Ctrl+Shift+Y' }).click();
    await expect(page.getByRole('alert')).toHaveText(/^Ctrl\+Shift\+Y doesn’t work: another program has it/u);
    expect(await violationsOf(page)).toEqual([]);
    // A browser tab has none.
    const onPage = await open('scene=busy&surface=page', '#/settings/general');
    await expect(onPage.getByRole('combobox', { name: 'Language' })).toBeVisible();
    await expect(onPage.getByRole('combobox', { name: 'Shortcut for the popover' })).toHaveCount(0);
  });
});
