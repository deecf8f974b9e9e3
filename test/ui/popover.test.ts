import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';
import type { ViewSketch } from './support/view-sketch.ts';
import { pressReap, step } from './support/views.ts';

const size = { width: 400, height: 700 };
const at = (query: string, hash = '#/popover'): ViewSketch => ({ name: query, query, hash, size });

inBrowser('the popover', ({ shown }) => {
  const open = async (query: string, hash?: string) => shown().open(at(query, hash), { colorScheme: 'light' });

  test('Reap shows its way in place and ends with what was freed', async () => {
    const page = await open('scene=reaping');
    const card = page.getByRole('article', { name: 'shop-frontend' });
    await pressReap(page);
    await step(page, 'TERM sent.');
    await expect(card.getByRole('progressbar')).toBeVisible();
    await step(page, /3 of 6/u);
    await step(page, /^Ended \d+ process/u);
    await expect(card.getByText(/Ended 6 processes. Freed 312.MB/u)).toBeVisible();
  });

  test('a job that ignores TERM can be killed at once, and a survivor is reported as a failure', async () => {
    const page = await open('scene=reaping&ending=survived');
    await pressReap(page);
    await step(page, 'TERM sent.');
    await page.getByRole('button', { name: /end now/u }).click();
    // The request is sent at once; the next step must wait until the grace period is over.
    await page
      .getByText(/KILL is sent/u)
      .first()
      .waitFor();
    await step(page, 'Some processes survived KILL.');
    await expect(page.getByRole('alert').getByText('Some processes survived KILL.')).toBeVisible();
  });

  test('an agent out of reach is ended only after the user has seen what goes and what is left over', async () => {
    const page = await open('scene=unreachable');
    const section = page.getByRole('region', { name: 'Agents that may be out of reach' });
    await expect(section.getByText(/its terminal is hung up/u)).toBeVisible();
    await expect(section.getByText('claude stop 01234567')).toBeVisible();
    const end = section.getByRole('button', { name: /^End Codex/u });
    expect(await end.count()).toBe(1);
    await end.click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByText(/process 4711, .*ended now/u)).toBeVisible();
    await expect(dialog.getByText(/process 4720, .*left over then/u)).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(section.getByText(/its terminal is hung up/u)).toBeVisible();
    await end.click();
    await dialog.getByRole('button', { name: 'End it' }).click();
    await expect(section.getByText(/its terminal is hung up/u)).toBeHidden();
  });

  test('a service of an agent is ended by its own command, which the user sees before', async () => {
    const page = await open('scene=unreachable');
    const section = page.getByRole('region', { name: 'Agents that may be out of reach' });
    await section.getByRole('button', { name: /^End Claude Code, process 5200/u }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByText('claude stop 01234567')).toBeVisible();
    await expect(dialog.getByText(/sends no signal/u)).toBeVisible();
    await expect(dialog.getByText(/sent TERM/u)).toBeHidden();
    await dialog.getByRole('button', { name: 'End it' }).click();
    await expect(section.getByText('claude stop 01234567')).toBeHidden();
    await expect(section.getByText(/its terminal is hung up/u)).toBeVisible();
  });

  test('what a tool call left open is ended only after the user has seen the command', async () => {
    const page = await open('scene=unreachable');
    const section = page.getByRole('region', { name: 'Left open by agents' });
    await expect(section.getByText('tmux session build')).toBeVisible();
    await expect(section.getByText(/likely and not proved/u)).toBeVisible();
    const end = section.getByRole('button', { name: /^End /u });
    expect(await end.count()).toBe(1);
    await end.click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByText(/kill-session -t/u)).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(section.getByText('tmux session build')).toBeVisible();
    await end.click();
    await dialog.getByRole('button', { name: 'End it' }).click();
    await expect(section.getByText('tmux session build')).toBeHidden();
    await expect(section.getByText('podman container shop-db')).toBeVisible();
  });

  test('a refusal is shown on the card with advice', async () => {
    const page = await open('scene=problems');
    await page.getByRole('button', { name: /^End 3 processes/u }).click();
    await expect(page.getByRole('alert').getByText(/The record can’t be written/u)).toBeVisible();
    await expect(page.getByText(/Make room on the disk/u)).toBeVisible();
  });

  test('a card announces an end only if Curfew ends jobs on its own', async () => {
    const ends = /^end(?:s in|ing now)/u;
    await expect((await open('scene=busy')).getByText(ends).first()).toBeVisible();
    for (const scene of ['paused', 'problems', 'first-run', 'report-only']) {
      const page = await open(`scene=${scene}`);
      await expect(page.getByRole('button', { name: /^More about/u }).first()).toBeVisible();
      expect(await page.getByText(ends).count(), scene).toBe(0);
    }
  });

  test('the grace of a leftover is marked from the end of its session, not from its start', async () => {
    const page = await open('scene=reaping&ending=survived');
    const meter = page.getByRole('article', { name: 'landing-page' }).getByRole('meter');
    const [now, tick] = await meter.evaluate((bar) => [
      Number(bar.getAttribute('aria-valuenow')) / Number(bar.getAttribute('aria-valuemax')),
      Number.parseFloat((bar.lastElementChild as HTMLElement).style.insetInlineStart) / 100,
    ]);
    // It is 2 h old, and its session ended 11 min ago: 10 min of grace ended a minute ago.
    expect(tick).toBeLessThan(now ?? 0);
    expect(tick).toBeGreaterThan((now ?? 0) - 0.02);
  });

  test('the user may put off what is past its hard cap', async () => {
    const page = await open('scene=busy');
    const card = page.getByRole('article', { name: 'shop-frontend' });
    await card.getByRole('button', { name: /^More about/u }).click();
    await expect(card.getByRole('button', { name: 'Never end…' })).toBeVisible();
    await expect(card.getByRole('button', { name: /^Keep/u }).first()).toBeVisible();
    await expect(page.getByRole('article', { name: 'api' }).getByRole('button', { name: /^Keep/u })).toBeVisible();
  });

  test('Keep can be undone where it was pressed', async () => {
    const page = await open('scene=busy');
    const card = page.getByRole('article', { name: 'api' });
    await card.getByRole('button', { name: /^Keep 30 min/u }).click();
    await expect(card.getByText(/Kept until/u)).toBeVisible();
    await card.getByRole('button', { name: 'Undo' }).click();
    await expect(card.getByRole('button', { name: /^Keep 30 min/u })).toBeVisible();
  });

  test('while the pointer is on the cards none of them moves, also when one has ended', async () => {
    const page = await open('scene=busy');
    const second = page.getByRole('article', { name: 'api' });
    const reap = second.getByRole('button', { name: /^End/u });
    await reap.hover();
    const before = await reap.boundingBox();
    await page.evaluate(() => {
      const { engine } = window.scene;
      engine.change({ jobs: engine.snapshot.jobs.filter(({ id }) => id !== 'a1f3') });
    });
    await expect(page.getByText('It has ended.')).toBeVisible();
    await expect(page.getByRole('article', { name: 'shop-frontend' })).toBeVisible();
    await shown().settled();
    expect(await reap.boundingBox()).toEqual(before);
    await page.mouse.move(200, 10);
    await expect(page.getByRole('article', { name: 'shop-frontend' })).toHaveCount(0);
  });

  test('a Reap that moved under a still pointer needs a second click', async () => {
    const page = await open('scene=busy');
    const card = page.getByRole('article', { name: 'shop-frontend' });
    const box = await card.getByRole('button', { name: /^End/u }).boundingBox();
    if (box === null) throw new Error('Reap is not there');
    await page.mouse.move(box.x + 20, box.y + box.height + 6);
    await shown().settled();
    await page.evaluate(() => {
      // Anything that appears above, here a problem of the engine, pushes the cards down.
      const main = document.querySelector('main');
      if (main !== null) main.style.paddingBlockStart = '32px';
    });
    const pointer = { x: box.x + 20, y: box.y + box.height + 6 };
    await page.waitForFunction(
      ({ x, y }) => document.elementFromPoint(x, y)?.textContent === 'End 6 processes',
      pointer,
    );
    await page.mouse.down();
    await page.mouse.up();
    await shown().settled();
    expect(await page.evaluate(() => window.scene.engine.snapshot.reapings)).toEqual([]);
    await page.mouse.down();
    await page.mouse.up();
    await expect(card.getByText('Verifying the processes…')).toBeVisible();
  });

  test('a key that is held down doesn’t reap', async () => {
    const page = await open('scene=busy');
    const reap = page.getByRole('button', { name: /^End 6 processes/u });
    await reap.focus();
    await reap.evaluate((element) => {
      const repeated = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true });
      element.dataset['prevented'] = String(!element.dispatchEvent(repeated));
    });
    await expect(reap).toHaveAttribute('data-prevented', 'true');
  });

  test('by keyboard alone: after Enter on Reap the focus stays in the place of its card, until and after it has ended', async () => {
    const page = await open('scene=reaping');
    const place = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.closest('article')?.id ?? document.activeElement?.tagName ?? '');
    const reap = page.getByRole('button', { name: /^End 6 processes/u });
    for (let tabs = 0; tabs < 40; tabs += 1) {
      if (await reap.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await expect(reap).toBeFocused();
    const own = await place();
    await page.keyboard.press('Enter');
    await page.getByText('Verifying the processes…').waitFor();
    await step(page, 'TERM sent.');
    await shown().settled();
    expect(await place()).toBe(own);
    await step(page, /3 of 6/u);
    await step(page, /^Ended \d+ process/u);
    await shown().settled();
    expect(await place()).toBe(own);
    await page.evaluate(() => {
      const { engine } = window.scene;
      engine.change({ jobs: engine.snapshot.jobs.slice(1) });
    });
    await shown().settled();
    expect(await place()).toBe(own);
    await page.keyboard.press('Enter');
    await shown().settled();
    expect(await page.evaluate(() => window.scene.engine.snapshot.reapings.length)).toBe(1);
  });

  test('nothing has the focus at first, and Reap is reached only on purpose', async () => {
    const page = await open('scene=busy');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await shown().settled();
    expect(await page.evaluate(() => window.scene.engine.snapshot.reapings)).toEqual([]);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  });

  test('what a process calls itself is shown as text: no HTML, no direction change, controls as marks', async () => {
    const page = await open('scene=hostile');
    await expect(page.locator('img')).toHaveCount(0);
    await expect(page.locator('[data-code="U+202E"]').first()).toBeVisible();
    await expect(page.locator('[data-code="U+001B"]').first()).toHaveText('ESC');
    const text = await page.locator('main').innerText();
    // eslint-disable-next-line no-control-regex -- finding them is the point
    expect(text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u202A-\u202E\u2066-\u2069]/u);
    expect(text).toContain('<img src=x onerror=alert(1)>');
  });

  test('nothing sticks out at the smallest width, with a 4,000-character command and at 200 % zoom', async () => {
    const page = await open('scene=hostile');
    const overflow = async () =>
      page.evaluate(() => {
        const body = document.querySelector('main');
        return {
          page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          body: (body?.scrollWidth ?? 0) - (body?.clientWidth ?? 0),
        };
      });
    expect(await overflow()).toEqual({ page: 0, body: 0 });
    // What 200 % zoom makes of a window of 400 × 700.
    await page.setViewportSize({ width: 200, height: 350 });
    await shown().settled();
    expect(await overflow()).toEqual({ page: 0, body: 0 });
  });

  test('a lost connection is reported, the last known state stays, and no end is promised', async () => {
    const page = await open('scene=busy');
    const promise = page.getByText(/^(?:ends in|ending now)/u);
    await expect(promise.first()).toBeVisible();
    await page.evaluate(() => {
      window.scene.connection('lost');
    });
    await expect(page.getByText(/Curfew can’t be reached. This is the state at/u)).toBeVisible();
    await expect(page.getByRole('article', { name: 'api' })).toBeVisible();
    await expect(promise).toHaveCount(0);
    const dead = page.locator('button[aria-disabled=true], button:disabled');
    await expect(dead.filter({ hasText: /^(?:End|Keep|Pause|Check now)/u })).toHaveCount(6);
    await page.evaluate(() => {
      window.scene.connection('connected');
    });
    await expect(promise.first()).toBeVisible();
    await expect(dead).toHaveCount(0);
    await expect(page.getByText(/Curfew can’t be reached/u)).toHaveCount(0);
  });

  test('after a gap in the differences the window asks for the whole', async () => {
    const page = await open('scene=busy');
    await page.evaluate(() => {
      const { engine } = window.scene;
      const { revision } = engine.snapshot;
      engine.change({ pausedUntil: 'forever' });
      // One that follows a difference which never came.
      engine.emit('difference', { from: revision + 7, to: revision + 8, parts: {} });
    });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Paused/u);
  });

  test('a notification’s click opens the card of its job', async () => {
    const page = await open('scene=busy');
    await page.evaluate(() => {
      window.scene.engine.emit('navigate', { window: 'popover', job: 'b2c4' });
    });
    await expect(page.locator('#job-b2c4')).toBeFocused();
  });
});
