import { FakeClaude } from '../scene/claude.ts';
import { history, runCurfew } from '../scene/curfew.ts';
import { expectGone } from '../scene/innocents.ts';
import { pinned } from '../scene/outcome.ts';
import { expect, live, openFresh, quick, startWeb } from './live-page.ts';
import { writeSettings } from '../scene/watching.ts';

live('what the first users measured, on the page with the real supervisor', {
  '30 s from the command line blocks no other limit, 1 min 30 s is shown and kept as such, and at 320 px the field in use stays in sight':
    async ({ stage, browser }) => {
      writeSettings(stage, { ...quick, mode: 'observe' });
      expect(await runCurfew(stage, ['settings', 'set', 'backgroundMaxElapsedSeconds', '30s'])).toMatchObject({
        code: 0,
      });
      const server = await startWeb(stage);
      const page = await openFresh(browser, server.told.url);
      await page.setViewportSize({ width: 320, height: 568 });
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByRole('tab', { name: 'Limits' }).click();
      await expect(page.getByRole('textbox', { name: 'Overdue after' })).toHaveValue('30 s');
      const notice = page.getByRole('textbox', { name: 'Notice' });
      await notice.fill('1 min 30 s');
      const save = page.getByRole('button', { name: 'Save changes' });
      await expect(save).toBeInViewport();
      for (const field of await page.getByRole('textbox').all()) {
        await field.focus();
        const [box, bar] = [await field.boundingBox(), await save.boundingBox()];
        expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      }
      // A look elsewhere loses nothing.
      await page.getByRole('tab', { name: 'Hosts' }).click();
      await page.getByRole('tab', { name: 'Limits' }).click();
      await expect(notice).toHaveValue('1 min 30 s');
      await save.click();
      await expect(save).toBeHidden();
      await expect(notice).toHaveValue('1 min 30 s');
      const { stdout } = await runCurfew(stage, ['settings', 'get', 'noticeSeconds']);
      expect(stdout).toBe('90\n');
    },

  'after Keep the focus is where it was, copied is said for a moment, and every control has a name': async ({
    stage,
    browser,
  }) => {
    writeSettings(stage, { ...quick, backgroundMaxElapsedSeconds: 3, mode: 'observe' });
    const claude = await FakeClaude.start(stage);
    for (const seconds of [3651, 3652, 3653]) await claude.bash(`sleep ${seconds} | cat`);
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await expect(page.getByRole('heading', { level: 1, name: /3 jobs need a look/u })).toBeVisible();
    await page.getByRole('button', { name: /^More about sleep 3651/u }).click();
    await page.getByRole('button', { name: 'Copy…' }).click();
    await page.getByRole('menuitem', { name: 'Details' }).click();
    await expect(page.getByText('Copied', { exact: true })).toBeVisible();
    await expect(page.getByText('Copied', { exact: true })).toHaveCount(0);
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const nameless = nodes.filter(
      ({ ignored, role, name }) =>
        !ignored &&
        /^(?:button|link|textbox|searchbox|switch|table|navigation)$/u.test(String(role?.value)) &&
        String(name?.value ?? '').trim() === '',
    );
    expect(nameless.map(({ role }) => String(role?.value))).toEqual([]);
    await page.getByRole('button', { name: /^Keep 30 min: sleep 3652/u }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^Kept until/u)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: /2 jobs need a look/u })).toBeVisible();
    // Not on the page's first element, and on no End of another job.
    await expect(page.locator('article:focus')).toHaveCount(1);
  },

  'all leftovers end with one press after a preview of exactly what, and a living session stays': async ({
    stage,
    browser,
  }) => {
    writeSettings(stage, { ...quick, backgroundKillGraceSeconds: 1, mode: 'observe' });
    const living = await FakeClaude.start(stage, { project: `${stage.home}/blog` });
    const stays = await living.bash('sleep 3660 | cat');
    const dead = await FakeClaude.start(stage);
    const calls = [await dead.bash('sleep 3661 | cat'), await dead.bash('sleep 3662 | cat')];
    const processes = calls.map(({ shell }) => shell).concat(await pinned(stage, 'sleep 3661'));
    await dead.crash();
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    await expect(page.getByRole('heading', { level: 1, name: /2 leftovers of closed sessions/u })).toBeVisible();
    await page.getByRole('button', { name: /^End all… 2 leftovers/u }).click();
    const asked = page.getByRole('alertdialog');
    await expect(asked.getByRole('listitem')).toHaveCount(2);
    await asked.getByRole('button', { name: 'End 2 jobs' }).click();
    await stage.until('both are ended', () => processes.every((each) => !stage.lives(each)));
    expectGone(stage, processes);
    expect(stage.lives(stays.shell)).toBe(true);
    await stage.until('both are on record', async () => (await history(stage)).length === 2);
  },
});
