import type { Page } from '@playwright/test';
import { sizes, type ViewSketch } from './view-sketch.ts';
import { viewsOfWindows } from './views-of-windows.ts';

const { popover, settings, tab, phone } = sizes;

const connection =
  (state: 'lost' | 'signed-out') =>
  async (shown: Page): Promise<void> => {
    await shown.evaluate((now) => {
      window.scene.connection(now);
    }, state);
    await shown
      .getByText(state === 'lost' ? /can’t be reached/u : /no longer signed in|isn’t signed in/u)
      .first()
      .waitFor();
  };

const firstMore = async (page: Page): Promise<void> => {
  await page
    .getByRole('button', { name: /^More about/u })
    .first()
    .click();
};

const reapButton = (page: Page) => page.getByRole('button', { name: /^End \d+ process/u }).first();

/** Advances a reaping by one step and waits until the page shows it. */
export const step = async (page: Page, told: string | RegExp): Promise<void> => {
  await page.evaluate(() => {
    window.scene.engine.pace.step();
  });
  await page.getByText(told).first().waitFor();
};

/** Presses Reap and waits until it has begun. */
export const pressReap = async (page: Page): Promise<void> => {
  await reapButton(page).click();
  await page.getByText('Verifying the processes…').waitFor();
};

/** Reaps until processes got TERM and some ignored it. */
const ask = async (page: Page): Promise<void> => {
  await pressReap(page);
  await step(page, 'TERM sent.');
  await step(page, /[1-5] of 6 still running/u);
};

const hurry = async (page: Page): Promise<void> => {
  await ask(page);
  await page.getByRole('button', { name: /end now/u }).click();
  await page
    .getByText(/KILL is sent/u)
    .first()
    .waitFor();
};

/** Opens the command palette and types. */
const palette =
  (query: string) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await page.getByRole('combobox').fill(query);
  };

/** Every view and state that pictures are made of and that axe looks at. */
export const views: readonly ViewSketch[] = [
  { name: 'popover-busy', query: 'scene=busy', hash: '#/popover', size: popover },
  { name: 'popover-tall', query: 'scene=busy', hash: '#/popover', size: { width: 400, height: 1100 } },
  {
    name: 'popover-more',
    query: 'scene=busy',
    hash: '#/popover',
    size: { width: 400, height: 1500 },
    before: firstMore,
  },
  {
    name: 'popover-palette',
    query: 'scene=busy',
    hash: '#/popover',
    size: popover,
    before: palette(''),
  },
  { name: 'popover-left', query: 'scene=left', hash: '#/popover', size: popover },
  { name: 'popover-leftovers', query: 'scene=leftovers', hash: '#/popover', size: popover },
  {
    name: 'popover-leftovers-asked',
    query: 'scene=leftovers',
    hash: '#/popover',
    size: popover,
    before: async (page) => {
      await page.getByRole('button', { name: /^End all…/u }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  { name: 'popover-probable', query: 'scene=probable', hash: '#/popover', size: popover },
  {
    name: 'popover-probable-asked',
    query: 'scene=probable',
    hash: '#/popover',
    size: popover,
    before: async (page) => {
      await page.getByRole('button', { name: /^End all…/u }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  { name: 'page-leftovers', query: 'scene=leftovers&surface=page', hash: '#/popover', size: tab },
  { name: 'popover-calm', query: 'scene=calm', hash: '#/popover', size: popover },
  { name: 'popover-empty', query: 'scene=empty', hash: '#/popover', size: popover },
  { name: 'popover-first-run', query: 'scene=first-run', hash: '#/popover', size: popover },
  { name: 'popover-paused', query: 'scene=paused', hash: '#/popover', size: popover },
  { name: 'popover-problems', query: 'scene=problems', hash: '#/popover', size: { width: 400, height: 900 } },
  {
    name: 'popover-refused',
    query: 'scene=problems',
    hash: '#/popover',
    size: { width: 400, height: 900 },
    before: async (page) => {
      await reapButton(page).click();
      await page.getByText('The record can’t be written, so nothing is signalled.').waitFor();
    },
  },
  { name: 'popover-hostile', query: 'scene=hostile', hash: '#/popover', size: { width: 400, height: 900 } },
  {
    name: 'popover-container',
    query: 'scene=hostile',
    hash: '#/popover',
    size: { width: 400, height: 900 },
    before: async (page) => {
      await page.getByRole('button', { name: /^More about npm test/u }).click();
      await page.getByText('image postgres:17').scrollIntoViewIfNeeded();
    },
  },
  { name: 'popover-report-only', query: 'scene=report-only', hash: '#/popover', size: popover },
  { name: 'popover-unreachable', query: 'scene=unreachable', hash: '#/popover', size: { width: 400, height: 760 } },
  {
    name: 'popover-unreachable-asked',
    query: 'scene=unreachable',
    hash: '#/popover',
    size: { width: 400, height: 760 },
    before: async (page) => {
      await page.getByRole('button', { name: /^End Codex CLI, process/u }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'popover-observe',
    query: 'scene=busy',
    hash: '#/popover',
    size: popover,
    before: async (page) => {
      await page.evaluate(() => {
        window.scene.engine.change({ mode: 'observe' });
      });
      await page.getByRole('heading', { name: /^Observe mode/u }).waitFor();
    },
  },
  {
    name: 'popover-search',
    query: 'scene=busy',
    hash: '#/popover',
    size: popover,
    before: async (page) => {
      await page.keyboard.press('/');
      await page.getByRole('searchbox').fill('pytest');
      await page.getByText('npm run dev').first().waitFor({ state: 'detached' });
    },
  },
  {
    name: 'popover-left-open-asked',
    query: 'scene=unreachable',
    hash: '#/popover',
    size: { width: 400, height: 760 },
    before: async (page) => {
      await page
        .getByRole('button', { name: /^End tmux session/u })
        .first()
        .click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'popover-service-asked',
    query: 'scene=unreachable',
    hash: '#/popover',
    size: { width: 400, height: 760 },
    before: async (page) => {
      await page.getByRole('button', { name: /^End Claude Code, process/u }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'popover-asked',
    query: 'scene=reaping',
    hash: '#/popover',
    size: { width: 400, height: 760 },
    before: ask,
  },
  {
    name: 'popover-killing',
    query: 'scene=reaping&ending=killed',
    hash: '#/popover',
    size: { width: 400, height: 760 },
    before: hurry,
  },
  {
    name: 'popover-ended',
    query: 'scene=reaping',
    hash: '#/popover',
    size: { width: 400, height: 760 },
    before: async (page) => {
      await ask(page);
      await step(page, /^Ended \d+ process/u);
    },
  },
  {
    name: 'popover-survived',
    query: 'scene=reaping&ending=survived',
    hash: '#/popover',
    size: { width: 400, height: 760 },
    before: async (page) => {
      await hurry(page);
      await step(page, 'Some processes survived KILL.');
    },
  },
  {
    name: 'popover-spared',
    query: 'scene=reaping&ending=spared',
    hash: '#/popover',
    size: { width: 400, height: 760 },
    before: async (page) => {
      await pressReap(page);
      await step(page, /nothing was signalled/u);
    },
  },
  {
    name: 'popover-kept',
    query: 'scene=busy',
    hash: '#/popover',
    size: popover,
    before: async (page) => {
      await page
        .getByRole('button', { name: /^Keep 30 min/u })
        .first()
        .click();
      await page.getByText(/Kept until/u).waitFor();
    },
  },
  {
    name: 'popover-offline',
    query: 'scene=busy',
    hash: '#/popover',
    size: popover,
    before: connection('lost'),
  },
  { name: 'popover-failed', query: 'scene=busy&broken', hash: '#/popover', size: popover, ready: '[role=alert]' },
  { name: 'popover-loading', query: 'scene=busy&silent', hash: '#/popover', size: popover, ready: 'main' },
  { name: 'page-wide', query: 'scene=busy&surface=page', hash: '#/popover', size: tab },
  {
    name: 'page-table',
    query: 'scene=busy&surface=page',
    hash: '#/popover',
    size: tab,
    before: async (page) => {
      await page.getByRole('button', { name: 'Table' }).click();
      await page.getByRole('table', { name: 'All jobs' }).waitFor();
      await page.getByRole('img').first().waitFor();
    },
  },
  {
    name: 'page-palette',
    query: 'scene=busy&surface=page',
    hash: '#/popover',
    size: tab,
    before: palette('pytest'),
  },
  { name: 'page-narrow', query: 'scene=busy&surface=page', hash: '#/popover', size: phone },
  { name: 'page-crowded', query: 'scene=crowded&surface=page', hash: '#/popover', size: tab },
  { name: 'page-empty', query: 'scene=empty&surface=page', hash: '#/popover', size: tab },
  { name: 'page-settings', query: 'scene=busy&surface=page', hash: '#/settings/limits', size: tab },
  { name: 'page-settings-narrow', query: 'scene=busy&surface=page', hash: '#/settings/limits', size: phone },
  {
    name: 'page-settings-notifications',
    query: 'scene=busy&surface=page',
    hash: '#/settings/notifications',
    size: tab,
  },
  { name: 'page-history', query: 'scene=busy&surface=page', hash: '#/history/incident-4', size: tab },
  { name: 'page-history-narrow', query: 'scene=busy&surface=page', hash: '#/history', size: phone },
  { name: 'page-welcome', query: 'scene=first-run&surface=page', hash: '#/welcome', size: tab },
  { name: 'page-offline', query: 'scene=busy&surface=page', hash: '#/history', size: tab, before: connection('lost') },
  {
    name: 'page-signed-out',
    query: 'scene=busy&surface=page',
    hash: '#/popover',
    size: tab,
    before: connection('signed-out'),
  },
  ...[
    { name: 'german-popover', hash: '#/popover', size: popover },
    { name: 'german-limits', hash: '#/settings/limits', size: { width: 860, height: 1100 } },
    { name: 'german-guard', hash: '#/settings/agents', size: { width: 860, height: 1500 } },
    { name: 'german-history', hash: '#/history/incident-4', size: { width: 1040, height: 1000 } },
    { name: 'german-files', hash: '#/files', size: settings },
    { name: 'german-sessions', hash: '#/sessions', size: settings },
    { name: 'german-ports', hash: '#/ports', size: settings },
    {
      name: 'german-diagnostics',
      hash: '#/settings/about',
      size: { width: 860, height: 1100 },
      before: async (page: Page) => {
        await page.getByRole('button', { name: 'Diagnose starten' }).click();
        await page.getByRole('button', { name: 'Erneut starten' }).waitFor();
      },
    },
  ].map((view) => ({ ...view, query: 'scene=busy&language=de' })),
  {
    name: 'german-welcome',
    query: 'scene=first-run&language=de',
    hash: '#/welcome',
    size: { width: 520, height: 640 },
  },
  ...viewsOfWindows,
];
