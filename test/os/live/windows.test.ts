import { FakeClaude } from '../scene/claude.ts';
import { runCurfew } from '../scene/curfew.ts';
import { expectGone } from '../scene/innocents.ts';
import { pinned } from '../scene/outcome.ts';
import { expect, live, openFresh, quick, readTold, startWeb } from './live-page.ts';
import { writeSettings } from '../scene/watching.ts';

live('the page through settings, second windows and restarts', {
  'the supervisor applies settings that are changed on the page': async ({ stage, browser }) => {
    writeSettings(stage, quick);
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash('sleep 3605 | cat');
    const processes = [call.shell, ...(await pinned(stage, 'sleep 3605'))];
    await claude.crash();
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    await page.getByRole('radio', { name: /^Enforce/u }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('link', { name: /^Enforce/u })).toBeVisible();
    expect(processes.every((each) => stage.lives(each))).toBe(true);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByRole('textbox', { name: 'Orphan grace' }).fill('0 s');
    await page.getByRole('button', { name: 'Save changes' }).click();
    // An announcement counts once it was seen, and this browser shows no notifications.
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await stage.until('the orphan is ended by rule', () => processes.every((each) => !stage.lives(each)));
    expectGone(stage, processes);
    await page.getByRole('link', { name: 'History' }).click();
    await expect(page.getByRole('option', { name: /sleep 3605/u })).toBeVisible();
    const { stdout } = await runCurfew(stage, ['settings', 'get', 'orphanGraceSeconds', '--json']);
    expect(stdout).toContain('0');
  },

  'two windows stay in sync, and a second `curfew web` prints an address of the first': async ({ stage, browser }) => {
    writeSettings(stage, { ...quick, backgroundMaxElapsedSeconds: 3, mode: 'observe' });
    const claude = await FakeClaude.start(stage);
    await claude.bash('sleep 3606 | cat');
    const server = await startWeb(stage);
    const second = await runCurfew(stage, ['web', '--json', '--no-open']);
    expect({ code: second.code, ...readTold(second.stdout) }).toMatchObject({
      code: 0,
      already: true,
      port: server.told.port,
    });
    const one = await openFresh(browser, server.told.url);
    const two = await openFresh(browser, readTold(second.stdout).url);
    for (const page of [one, two]) await expect(page.getByRole('article', { name: 'shop' })).toBeVisible();
    await one.getByRole('button', { name: /^Keep 30 min/u }).click();
    await expect(two.getByRole('heading', { name: 'Kept by you' })).toBeVisible();
    await two.getByRole('button', { name: 'Pause' }).click();
    await two.getByRole('menuitem', { name: 'Until I resume' }).click();
    await expect(one.getByText(/^Paused: no automatic endings/u)).toBeVisible();
    const third = await openFresh(browser, server.told.url);
    await expect(third.getByText('This browser isn’t signed in.')).toBeVisible();
  },

  'after a kill and restart of the supervisor the page says so, shows the way back, and resumes': async ({
    stage,
    browser,
  }) => {
    writeSettings(stage, { ...quick, backgroundMaxElapsedSeconds: 3, mode: 'observe' });
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash('sleep 3607 | cat');
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    await page.getByRole('article', { name: 'shop' }).getByRole('button', { name: /^End/u }).click();
    await expect(page.getByText(/^Ended(?:\.| \d+ process)/u)).toBeVisible();
    expectGone(stage, [call.shell]);
    await page.getByRole('link', { name: 'History' }).click();
    await expect(page.getByRole('option', { name: /sleep 3607/u })).toBeVisible();

    await server.running.signal('KILL');
    await server.running.ended();
    await expect(page.getByText(/Curfew can’t be reached/u)).toBeVisible();
    const again = await startWeb(stage);
    expect(again.told.port).toBe(server.told.port);
    await expect(page.getByText(/this browser is no longer signed in/u)).toBeVisible();
    // The new address in another tab of the same browser: the old tab resumes on its own.
    const other = await page.context().newPage();
    await other.goto(again.told.url);
    await expect(other.getByRole('heading', { name: 'Nothing is left behind' })).toBeVisible();
    await expect(page.getByText(/this browser is no longer signed in/u)).toHaveCount(0);
    await other.close();
    await page.reload();
    await expect(page.getByRole('option', { name: /sleep 3607/u })).toBeVisible();

    // The same, with the address pasted into the tab itself.
    await again.running.signal('KILL');
    await again.running.ended();
    const third = await startWeb(stage);
    await expect(page.getByText(/this browser is no longer signed in/u)).toBeVisible();
    await page.goto(third.told.url);
    await expect(page.getByRole('heading', { name: 'Nothing is left behind' })).toBeVisible();
  },
});
