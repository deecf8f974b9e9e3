import { FakeClaude } from '../scene/claude.ts';
import { history, jobWith, lookBefore, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { ServingAgent } from '../scene/servers.ts';
import { livingSession, pinned } from '../scene/outcome.ts';
import { expect, live, openFresh, quick, startWeb } from './live-page.ts';
import { writeSettings } from '../scene/watching.ts';

const overdueSoon = { ...quick, backgroundMaxElapsedSeconds: 4, mode: 'observe' } as const;

live('jobs on the page, with the real supervisor and real processes', {
  'a job becomes stuck on the page; Reap ends all of it, and the history has it': async ({ stage, browser }) => {
    writeSettings(stage, overdueSoon);
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    await expect(page.getByRole('heading', { name: 'Nothing is left behind' })).toBeVisible();
    expect(page.url()).not.toContain('enter');
    const innocents = await livingSession(stage);
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash('sleep 3601 | cat');
    const processes = [call.shell, ...(await pinned(stage, 'sleep 3601'))];
    const command = page.getByRole('button', { name: /sleep 3601/u });
    await expect(command.first()).toBeVisible();
    const card = page.getByRole('article', { name: 'shop' });
    await expect(card.getByText(/overdue$/u)).toBeVisible();
    await card.getByRole('button', { name: /^End \d+ processes/u }).click();
    await expect(card.getByText(/^Ended(?:\.| \d+ process)/u)).toBeVisible();
    expectGone(stage, processes);
    expectUntouched(stage, innocents);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('option', { name: /sleep 3601/u }).click();
    await expect(page.getByRole('article').getByText(/TERM to group/u)).toBeVisible();
    expect(await history(stage)).toMatchObject([{ decidedBy: 'person', outcome: 'reaped', session: claude.session }]);
    await server.running.signal('TERM');
    expect(await server.running.ended()).toMatchObject({ code: 0 });
  },

  'a job that starts while the page is open shows at once, however far apart checks are; Check now is one': async ({
    stage,
    browser,
  }) => {
    writeSettings(stage, { ...quick, scanIntervalSeconds: 300, mode: 'observe' });
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    await expect(page.getByRole('heading', { name: /Nothing is left behind/u })).toBeVisible();
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash('sleep 3641 | cat');
    await expect(page.getByRole('button', { name: /sleep 3641/u }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByRole('button', { name: /sleep 3641/u }).first()).toBeVisible();
    await claude.crash();
    // From the first check on that finds its session closed, long before its grace is over.
    await expect(page.getByRole('heading', { name: /1 leftover of a closed session/u })).toBeVisible();
    expect(stage.lives(call.shell)).toBe(true);
  },

  'Keep postpones the limit in every window, and its undo reverts that': async ({ stage, browser }) => {
    writeSettings(stage, overdueSoon);
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash('sleep 3602 | cat');
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    const card = page.getByRole('article', { name: 'shop' });
    const state = async (): Promise<string> => jobWith(await scan(stage), call.shell.pid).verdict.state;
    await card.getByRole('button', { name: /^Keep 30 min/u }).click();
    await expect(card.getByText(/Kept until/u)).toBeVisible();
    expect(await state()).toBe('kept');
    await card.getByRole('button', { name: 'Undo' }).click();
    await expect(card.getByText(/overdue$/u)).toBeVisible();
    expect(await state()).toBe('overdue');
    expect(stage.lives(call.shell)).toBe(true);
  },

  'a job that ignores TERM shows its grace period, and End now skips the rest of it': async ({ stage, browser }) => {
    writeSettings(stage, { ...overdueSoon, backgroundKillGraceSeconds: 60 });
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash("trap '' TERM; while :; do sleep 3603; done");
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    const card = page.getByRole('article', { name: 'shop' });
    await card.getByRole('button', { name: /^End/u }).click();
    await expect(card.getByText('TERM sent.')).toBeVisible();
    await expect(card.getByRole('progressbar')).toBeVisible();
    expect(stage.lives(call.shell)).toBe(true);
    await card.getByRole('button', { name: /end now/u }).click();
    await expect(card.getByText('It ignored the first signal. KILL ended it.')).toBeVisible();
    expectGone(stage, [call.shell]);
    expect(await history(stage)).toMatchObject([{ outcome: 'killed', survivors: [] }]);
  },

  'a server that its open session replaced has a card, and its button ends that server alone': async ({
    stage,
    browser,
  }) => {
    writeSettings(stage, { ...quick, mode: 'enforce', orphanGraceSeconds: 0, noticeSeconds: 0 });
    const agent = await ServingAgent.start(stage, 'claude');
    const { pid } = await agent.serve('wrapped');
    const left = agent.tree(pid).slice(1);
    const twin = await agent.serve('wrapped');
    const innocents = agent.tree(twin.pid).map((one) => bystander(stage, 'the new server', one.pid));
    await lookBefore(stage);
    await agent.actor.closeEnd(pid, 0);
    await stage.first.signal(pid, 'KILL');
    await agent.actor.ended(pid);
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    const card = page.getByRole('article', { name: 'shop' });
    await expect(card.getByText('left by its open session')).toBeVisible();
    await expect(page.getByRole('button', { name: /^End all/u })).toBeHidden();
    await card.getByRole('button', { name: /^End/u }).click();
    await expect(card.getByText(/^Ended/u)).toBeVisible();
    expectGone(stage, left);
    expectUntouched(stage, innocents);
    expect(await history(stage)).toMatchObject([{ decidedBy: 'person', outcome: 'reaped' }]);
  },

  'a protected job says why, and offers no Reap': async ({ stage, browser }) => {
    writeSettings(stage, overdueSoon);
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash('sleep 3604 | cat', { env: { CURFEW_KEEP: '1' } });
    const server = await startWeb(stage);
    const page = await openFresh(browser, server.told.url);
    await expect(page.getByRole('heading', { name: 'Protected' })).toBeVisible();
    await page.getByRole('button', { name: /sleep 3604/u }).click();
    const card = page.getByRole('article', { name: 'shop' });
    await expect(card.getByText('CURFEW_KEEP').first()).toBeVisible();
    await expect(card.getByRole('button', { name: /^End/u })).toHaveCount(0);
    expect(stage.lives(call.shell)).toBe(true);
  },
});
