import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';

const size = { width: 400, height: 700 };

inBrowser('what the popover claims, and work on many jobs', ({ shown }) => {
  const open = async (query: string) =>
    shown().open({ name: query, query, hash: '#/popover', size }, { colorScheme: 'light' });

  test('what a closed session left is left over from the first check on, with its countdown and Keep', async () => {
    const page = await open('scene=left');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 leftover of a closed session');
    const card = page.getByRole('article', { name: 'landing-page' });
    await expect(card.getByText(/^ends in 10.min/u)).toBeVisible();
    await expect(card.getByRole('button', { name: /^Keep 30 min/u })).toBeVisible();
    await expect(page.getByText(/none needs a look|doesn’t need a look|Nothing/u)).toHaveCount(0);
  });

  test('nothing reassures while nothing is watched, ended or recent', async () => {
    const reassuring = /All quiet|Nothing is left behind|none needs a look|doesn’t need a look|^Enforce$/u;
    const quiet = await open('scene=empty');
    await expect(quiet.getByRole('heading', { level: 1 })).toHaveText('Nothing is left behind');
    await expect(quiet.getByText('All quiet')).toBeVisible();
    for (const scene of ['empty', 'calm']) {
      const page = await open(`scene=${scene}`);
      const said = () => page.getByText(reassuring);
      await expect(said().first()).toBeVisible();
      await page.evaluate(() => {
        window.scene.connection('lost');
      });
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        'Curfew can’t be reached. It may not be watching.',
      );
      await expect(said()).toHaveCount(0);
      await page.evaluate(() => {
        window.scene.connection('connected');
      });
      await expect(said().first()).toBeVisible();
      await page.evaluate(() => {
        const { engine } = window.scene;
        engine.change({
          health: { ...engine.snapshot.health, lastLookAt: new Date(Date.now() - 7_200_000).toISOString() },
        });
      });
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Not checked since 2.h ago/u);
      await expect(said()).toHaveCount(0);
    }
    for (const [change, word] of [
      [{ pausedUntil: 'forever' }, 'Paused'],
      [{ mode: 'observe' }, 'Observe mode'],
    ] as const) {
      const page = await open('scene=empty');
      await page.evaluate((parts) => {
        window.scene.engine.change(parts);
      }, change);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${word} · Nothing is left behind`);
      await expect(page.getByText(/All quiet|^Enforce$/u)).toHaveCount(0);
    }
  });

  test('an agent out of reach is no “none needs a look”, and kept and protected jobs are counted by themselves', async () => {
    const page = await open('scene=unreachable');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 agents may be out of reach');
    const paused = await open('scene=paused');
    const counts = paused.getByRole('banner').getByRole('listitem');
    await expect(counts).toHaveText(['1 running', '1 kept', '1 protected', /^checked/u]);
  });

  test('all leftovers are ended at once, after a preview of exactly what, and nothing else is', async () => {
    const page = await open('scene=leftovers');
    await expect(page.getByText(/^4 leftovers hold 2.4.GB · 2 ports/u)).toBeVisible();
    await page.getByRole('button', { name: /^End all… 4 leftovers, 2.4.GB/u }).click();
    const dialog = page.getByRole('alertdialog', { name: 'End 4 leftovers?' });
    const listed = dialog.getByRole('region', { name: 'What will be ended' }).getByRole('listitem');
    await expect(listed).toHaveCount(4);
    expect((await listed.allTextContents()).map((text) => text.split('landing')[0]?.slice(0, 12))).toEqual([
      'npx -y marke',
      'uvicorn app:',
      'npm run dev',
      'npx tsc --wa',
    ]);
    // One that appears while the preview is open is not ended with them.
    await page.evaluate(() => {
      const { engine } = window.scene;
      const [first] = engine.snapshot.jobs.filter(({ id }) => id === '6d1f');
      if (first !== undefined) engine.change({ jobs: [...engine.snapshot.jobs, { ...first, id: 'ffff' }] });
    });
    await expect(listed).toHaveCount(4);
    await dialog.getByRole('button', { name: 'End 4 jobs' }).click();
    await expect(page.getByText('Verifying the processes…').first()).toBeVisible();
    const ended = await page.evaluate(() => window.scene.engine.snapshot.reapings.map(({ job }) => job).toSorted());
    expect(ended).toEqual(['6d1f', '7e20', '8f31', 'a1f3']);
    // Each is asked, dies in part, and has ended.
    await page.evaluate(() => {
      for (let steps = 0; steps < 12; steps += 1) window.scene.engine.pace.step();
    });
    const sum = page.getByRole('status').filter({ hasText: /^4 jobs ended: .*B · \d+ processes.* freed/u });
    await expect(sum).toBeVisible();
    await sum.getByRole('button', { name: 'Copy as a sentence' }).click();
    await expect(sum).toContainText('Copied');
    await sum.getByRole('button', { name: 'Close' }).click();
    await expect(sum).toHaveCount(0);
  });

  test('what is probably left over has no countdown and no bar; “It’s mine” takes it off the list, with one undo', async () => {
    const page = await open('scene=probable');
    const card = page.getByRole('article', { name: 'api' }).filter({ hasText: 'dev-proxy' });
    await expect(card.getByText('probably left over', { exact: true })).toBeVisible();
    await expect(card.getByRole('meter')).toHaveCount(0);
    await expect(card.getByText(/ends in/u)).toHaveCount(0);
    await expect(card.getByRole('button', { name: /^Keep/u })).toHaveCount(0);
    await card.getByRole('button', { name: /^It’s mine/u }).click();
    await expect(page.getByText(/^Yours from now on, and left alone: node scripts/u)).toBeVisible();
    expect(await page.evaluate(() => window.scene.engine.job('9c42'))).toBeUndefined();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(card.getByText('probably left over', { exact: true })).toBeVisible();
  });

  test('the end of all leaves out what is only probable, unless it is ticked', async () => {
    const page = await open('scene=probable');
    await page.getByRole('button', { name: /^End all… 3 leftovers/u }).click();
    const dialog = page.getByRole('alertdialog', { name: 'End 2 leftovers?' });
    const probable = dialog.getByRole('list', { name: /^Probably left over/u }).getByRole('checkbox');
    await expect(probable).not.toBeChecked();
    await probable.check();
    await expect(page.getByRole('button', { name: 'End 3 jobs' })).toBeVisible();
    await page.getByRole('alertdialog').getByRole('checkbox').first().uncheck();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End 2 jobs' }).click();
    await expect(page.getByText('Verifying the processes…').first()).toBeVisible();
    const ended = await page.evaluate(() => window.scene.engine.snapshot.reapings.map(({ job }) => job).toSorted());
    expect(ended).toEqual(['6d1f', '9c42']);
  });

  test('the leftovers of one session and project can be ended by themselves', async () => {
    const page = await open('scene=leftovers');
    await page.getByRole('button', { name: /^End this session’s 2 leftovers… landing-page, 1.2.GB/u }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End 2 jobs' }).click();
    await expect(page.getByText('Verifying the processes…').first()).toBeVisible();
    const ended = await page.evaluate(() => window.scene.engine.snapshot.reapings.map(({ job }) => job).toSorted());
    expect(ended).toEqual(['6d1f', '7e20']);
    // The cards stay a while; what is being ended, or has ended, is not offered again.
    await expect(page.getByRole('button', { name: /^End this session’s/u })).toHaveCount(0);
    await page.evaluate(() => {
      for (let steps = 0; steps < 6; steps += 1) window.scene.engine.pace.step();
    });
    await expect(page.getByRole('status').filter({ hasText: /^2 jobs ended: / })).toBeVisible();
  });

  test('a bulk end says what was not ended, and why, also when the others are gone', async () => {
    const page = await open('scene=leftovers');
    await page.getByRole('button', { name: /^End all…/u }).click();
    await page.evaluate(() => {
      const { engine } = window.scene;
      engine.change({ jobs: engine.snapshot.jobs.filter(({ id }) => id !== '7e20') });
    });
    await page.getByRole('alertdialog').getByRole('button', { name: 'End 4 jobs' }).click();
    await expect(page.getByRole('button', { name: /^End all…/u })).toHaveCount(0);
    const refusal = page.getByRole('alert').filter({ hasText: '1 job was not ended:' });
    await expect(refusal).toBeVisible();
    await refusal.getByRole('button', { name: 'Close' }).click();
    await expect(refusal).toHaveCount(0);
  });

  test('keys walk the jobs; e goes to End and ends nothing, Enter opens More, ? lists the keys', async () => {
    const page = await open('scene=busy');
    const place = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id);
    await page.keyboard.press('j');
    expect(await place()).toBe('job-a1f3');
    await page.keyboard.press('j');
    expect(await place()).toBe('job-b2c4');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^Less about pytest/u })).toBeVisible();
    await page.keyboard.press('e');
    await expect(page.getByRole('button', { name: /^End 9 processes: pytest/u })).toBeFocused();
    await shown().settled();
    expect(await page.evaluate(() => window.scene.engine.snapshot.reapings)).toEqual([]);
    await page.keyboard.press('k');
    expect(await place()).toBe('job-a1f3');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('r');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    // The focus is where it was.
    await expect(page.locator('#job-a1f3')).toBeFocused();
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+K');
    await expect(page.getByText(/Kept until/u)).toBeVisible();
  });

  test('the search finds jobs by command, project, agent, port and process, and Esc leaves it', async () => {
    const page = await open('scene=busy');
    await expect(page.getByRole('searchbox')).toHaveCount(0);
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Search jobs' })).toBeFocused();
    for (const [query, found] of [
      ['pytest', /pytest/u],
      ['codex', /pytest/u],
      [':5173', /npm run dev/u],
      ['engine', /cargo watch/u],
    ] as const) {
      await page.getByRole('searchbox').fill(query);
      await expect(page.locator('main article, main button[data-row]')).toHaveCount(1);
      await expect(page.locator('main')).toHaveText(found);
    }
    await page.getByRole('searchbox').fill('nothing is called this');
    await expect(page.getByText('No matching jobs.')).toBeVisible();
    // Letters in the field are letters, and a reload searches for the same.
    await page.getByRole('searchbox').press('r');
    await page.reload();
    await expect(page.getByRole('searchbox')).toHaveValue('nothing is called thisr');
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Escape');
    await expect(page.locator('main article, main button[data-row]')).toHaveCount(5);
    const crowded = await open('scene=crowded');
    await expect(crowded.getByRole('searchbox', { name: 'Search jobs' })).toBeVisible();
  });

  test('no button is without a name, and what was copied is said for a while only', async () => {
    const page = await open('scene=busy');
    await page.getByRole('button', { name: /^More about pytest/u }).click();
    const unnamed = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('button, a, input, [role="menuitem"]')]
          .filter((one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === '')
          .map((one) => one.outerHTML),
      );
    expect(await unnamed()).toEqual([]);
    const copy = page.getByRole('button', { name: 'Copy…' });
    await copy.click();
    await page.getByRole('menuitem', { name: 'Command' }).click();
    await expect(page.getByText('Copied')).toBeVisible();
    await expect(copy).toBeVisible();
    await page.clock.runFor(4000);
    await expect(page.getByText('Copied')).toHaveCount(0);
  });

  test('three cards fit into the popover', async () => {
    const page = await open('scene=reaping');
    await page.setViewportSize({ width: 400, height: 560 });
    await shown().settled();
    const foot = await page.getByRole('contentinfo').boundingBox();
    const third = await page.getByRole('article').nth(2).boundingBox();
    expect((third?.y ?? 9999) + (third?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
  });

  test('pausing asks for how long, and one press resumes', async () => {
    const page = await open('scene=busy');
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('menuitem')).toHaveCount(4);
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      'For 15 min',
      'For 1 h',
      expect.stringMatching(/^Until tomorrow, 0?8:00/u),
      'Until I resume',
    ]);
    await page.getByRole('menuitem', { name: 'For 15 min' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paused · 2 jobs need a look');
    await expect(page.getByText(/^Paused until/u)).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('2 jobs need a look');
  });
});
