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

  test('a sum that has records of before says since when they count otherwise, and no other does', async () => {
    const page = await open('scene=busy');
    const said = page.getByText(/^Records before .* also count what came and went meanwhile$/u);
    await expect(said).toBeVisible();
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await expect(said).toHaveCount(0);
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

  test('while the filter is typed the rows stay until the next are there', async () => {
    const page = await open('scene=busy');
    const first = page.getByRole('option').first().locator('code');
    const before = (await first.textContent()) ?? '';
    // No answer comes while the clock stands.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    for (const letter of 'py') {
      await page.getByRole('searchbox').press(letter);
      await page.evaluate(() => window.scheduler.postTask(() => undefined, { priority: 'background' }));
    }
    expect(await first.textContent()).toBe(before);
    await page.clock.resume();
    await expect(first).toContainText('pytest');
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

  test('what happens now appears at once, but moves no row under the pointer', async () => {
    const page = await open('scene=busy');
    const list = page.getByRole('listbox', { name: 'Incidents' });
    const happen = async (id: string) =>
      page.evaluate((name) => {
        const { engine } = window.scene;
        const [newest] = engine.snapshot.incidents;
        if (newest === undefined) throw new Error('the scene has no incident');
        const incident = {
          ...newest,
          id: name,
          command: `sleep 99 # ${name}` as typeof newest.command,
          at: new Date().toISOString(),
        };
        engine.change({ incidents: [incident, ...engine.snapshot.incidents] });
      }, id);
    await expect(page.getByText('412 incidents')).toBeVisible();
    await happen('first');
    await expect(page.getByText('413 incidents')).toBeVisible();
    await expect(list.getByRole('option').first()).toContainText('sleep 99 # first');
    await list.hover();
    await happen('second');
    const fresh = page.getByRole('button', { name: 'Show 1 new incident' });
    await expect(fresh).toBeVisible();
    await expect(list.getByRole('option').first()).toContainText('sleep 99 # first');
    await fresh.click();
    await expect(list.getByRole('option').first()).toContainText('sleep 99 # second');
    await expect(fresh).toHaveCount(0);
  });

  test('the first day has a scale of hours, and freed memory a plot of its own', async () => {
    const page = await open('scene=empty&history=3');
    const jobs = page.getByRole('img', { name: /^Jobs, per hour, at most \d+\./u });
    await expect(jobs.locator('g')).toHaveCount(24);
    await expect(page.getByRole('img', { name: /^Memory freed, per hour, at most \d+.[kMG]B$/u })).toBeVisible();
  });

  test('what repeats is counted, and all of it is one click away', async () => {
    const page = await open('scene=busy');
    const repeats = page.getByRole('region', { name: 'What repeats' });
    const first = repeats.getByRole('button').first();
    const times = /(\d+) times/u.exec((await first.textContent()) ?? '')?.[1] ?? '';
    await first.click();
    await expect(page.getByText(`${times} incidents`)).toBeVisible();
  });

  test('an incident can be spared from now on, run again by pasting, and its folder found', async () => {
    const page = await shown().open(
      { name: 'incident', query: 'scene=busy', hash: '#/history/incident-4', size: { width: 1040, height: 1000 } },
      { colorScheme: 'light' },
    );
    const detail = page.getByRole('article');
    await detail.getByRole('button', { name: 'Run again in a terminal' }).click();
    await expect(detail.getByText('Copied. Paste it into a terminal.')).toBeVisible();
    expect(await page.evaluate(() => window.scene.engine.copied)).toMatch(
      /^cd \/home\/mara\/work\/\S+ && wrangler dev --port 8787$/u,
    );
    await detail.getByRole('button', { name: 'Never end…' }).click();
    await page.getByRole('menuitem', { name: 'This command' }).click();
    await expect(detail.getByText('Spared from now on, up to the hard cap.')).toBeVisible();
    await detail.getByRole('button', { name: 'Undo' }).click();
    await expect(detail.getByText('Spared from now on')).toHaveCount(0);
    await detail.getByRole('button', { name: 'Open folder' }).click();
    await expect(detail.getByRole('alert')).toHaveCount(0);
  });

  test('a filter by outcome shows only that outcome', async () => {
    const page = await open('scene=busy');
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Killed', exact: true }).click();
    await expect(page.getByText('412 incidents')).toHaveCount(0);
    await shown().settled();
    const words = await page.getByRole('listbox', { name: 'Incidents' }).getByRole('option').allInnerTexts();
    expect(words.filter((text) => !text.startsWith('Killed'))).toEqual([]);
  });

  test('the filter is in the address: a reload shows the same, also beside an open incident', async () => {
    const page = await open('scene=busy');
    await page.getByRole('searchbox').fill('vite');
    await page.getByRole('combobox', { name: 'Time' }).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await expect(page).toHaveURL(/#\/history\?text=vite&span=week$/u);
    await page.getByRole('listbox', { name: 'Incidents' }).getByRole('option').first().click();
    await expect(page).toHaveURL(/#\/history\/[^?]+\?text=vite&span=week$/u);
    await page.reload();
    await expect(page.getByRole('searchbox')).toHaveValue('vite');
    await expect(page.getByRole('combobox', { name: 'Time' })).toContainText('Last 7 days');
  });
});
