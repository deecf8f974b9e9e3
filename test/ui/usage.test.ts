import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';
import { violationsOf } from './support/violations.ts';

const size = { width: 400, height: 900 };

inBrowser('what a job and its processes use', ({ shown }) => {
  const open = async (query: string, more: RegExp) => {
    const page = await shown().open({ name: query, query, hash: '#/popover', size }, { colorScheme: 'light' });
    await page.getByRole('button', { name: more }).first().click();
    return page;
  };

  test('the details draw CPU and memory of the last ten minutes, and say the same in words', async () => {
    const page = await open('scene=paused', /^More about pytest/u);
    await expect(page.getByRole('img', { name: /^CPU, last 10 min: now 0.%, at most 0.%$/u })).toBeVisible();
    const memory = page.getByRole('img', { name: /^Memory, last 10 min: now 1.1.GB, at most 1.1.GB$/u });
    await expect(memory).toBeVisible();
    // The machine slept in between: the line has a gap there.
    await expect(memory.locator('path').last()).toHaveAttribute('d', /^M[^M]+M[^M]+$/u);
  });

  test('a new measurement is drawn while the details are open', async () => {
    const page = await open('scene=paused', /^More about pytest/u);
    await expect(page.getByRole('img', { name: /now 1.1.GB/u })).toBeVisible();
    await page.evaluate(() => {
      const { engine } = window.scene;
      const job = engine.job('b2c4');
      if (job !== undefined) engine.changeJob('b2c4', { holds: { ...job.holds, rssBytes: 2_500_000_000 } });
    });
    await page.clock.runFor(6000);
    await expect(page.getByRole('img', { name: /^Memory, last 10 min: now 2.5.GB, at most 2.5.GB$/u })).toBeVisible();
  });

  test('a lost engine is told in place, and what was measured stays', async () => {
    const page = await open('scene=paused', /^More about pytest/u);
    const chart = page.getByRole('img', { name: /now 1.1.GB/u });
    await expect(chart).toBeVisible();
    await page.evaluate(() => {
      window.scene.breakEverything();
    });
    await page.clock.runFor(6000);
    await expect(page.getByRole('alert').first()).toBeVisible();
    await expect(chart).toBeVisible();
  });

  test('each process of the tree has its CPU and memory', async () => {
    const page = await shown().open(
      { name: 'tree', query: 'scene=busy', hash: '#/popover', size },
      { colorScheme: 'light' },
    );
    await page.getByText('cargo watch -x test').click();
    const tree = page.getByRole('article', { name: 'engine' }).getByRole('table');
    await expect(tree.getByRole('columnheader')).toHaveText(['Process', 'CPU', 'Memory']);
    await expect(tree.getByRole('row', { name: /cargo watch/u }).getByRole('cell')).toHaveText([/^84.%$/u, /^24.MB$/u]);
    // A process of which there is one look only.
    await page.evaluate(() => {
      const { engine } = window.scene;
      const job = engine.job('f6a8');
      if (job !== undefined)
        engine.changeJob('f6a8', { members: job.members.map((member) => ({ ...member, cpuPercent: null })) });
    });
    await expect(
      tree
        .getByRole('row', { name: /cargo watch/u })
        .getByRole('cell')
        .first(),
    ).toHaveText('–');
  });

  test.for(['en', 'de'])('%s: no violation, light or dark, and nothing sticks out at 200 %%', async (language) => {
    const page = await open(`scene=busy&language=${language}`, /^(?:More about|Mehr über) pytest/u);
    await page.getByRole('img').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await shown().look({ colorScheme: 'dark' });
    expect(await violationsOf(page, 'colours')).toEqual([]);
    await page.setViewportSize({ width: 200, height: 450 });
    await shown().settled();
    const more = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(more).toBe(0);
  });
});
