import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { overflow } from './support/overflow.ts';
import { violationsOf } from './support/violations.ts';
import type { ViewSketch } from './support/view-sketch.ts';

const press =
  (...names: readonly (string | RegExp)[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names) await page.getByRole('button', { name }).first().click();
  };

const list =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('combobox', { name }).click();
    await page.getByRole('option').first().waitFor();
  };

const fill =
  (name: string, text: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('textbox', { name }).fill(text);
  };

const small = { width: 400, height: 900 };
const window = { width: 1040, height: 900 };

/** Parts that appear only after a press or an input. */
const opened: readonly ViewSketch[] = [
  {
    name: 'the menu of exemptions',
    query: 'scene=busy',
    hash: '#/popover',
    size: small,
    before: press(/^More about/u, 'Never end…'),
  },
  {
    name: 'the menu of lengths to keep',
    query: 'scene=busy',
    hash: '#/popover',
    size: small,
    before: press(/^More about.*pytest/u, 'Keep for…'),
  },
  { name: 'the pause menu', query: 'scene=busy', hash: '#/popover', size: small, before: press('Pause') },
  {
    name: 'what can be copied of a job',
    query: 'scene=busy',
    hash: '#/popover',
    size: small,
    before: press(/^More about/u, 'Copy…'),
  },
  {
    name: 'the list of keys',
    query: 'scene=busy',
    hash: '#/popover',
    size: small,
    before: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the preview of the leftovers of one session',
    query: 'scene=leftovers',
    hash: '#/popover',
    size: small,
    before: press(/^End this session/u),
  },
  {
    name: 'the question before a session of tmux ends',
    query: 'scene=unreachable',
    hash: '#/popover',
    size: small,
    before: press(/^End tmux session/u),
  },
  {
    name: 'the question before Curfew may end jobs',
    query: 'scene=first-run',
    hash: '#/welcome',
    size: small,
    before: async (page) => {
      await page.getByText('Enforce', { exact: true }).click();
      await press('Continue')(page);
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'what spares an incident from now on',
    query: 'scene=busy',
    hash: '#/history/incident-4',
    size: window,
    before: press('Never end…'),
  },
  { name: 'the languages', query: 'scene=busy', hash: '#/settings/general', size: window, before: list('Language') },
  { name: 'the list of outcomes', query: 'scene=busy', hash: '#/history', size: window, before: list('Outcome') },
  { name: 'the menu of exports', query: 'scene=busy', hash: '#/history', size: window, before: press('Export') },
  {
    name: 'the dialog of hooks',
    query: 'scene=busy',
    hash: '#/settings/agents',
    size: window,
    before: press('Install hooks into Claude Code…'),
  },
  {
    name: 'the dialog that deletes the record',
    query: 'scene=busy',
    hash: '#/settings/privacy',
    size: window,
    before: press(/^Delete/u),
  },
  {
    name: 'a limit that makes no sense',
    query: 'scene=busy',
    hash: '#/settings/limits',
    size: window,
    before: fill('Overdue after', 'soon'),
  },
  {
    name: 'an exemption of nothing',
    query: 'scene=busy',
    hash: '#/settings/rules',
    size: window,
    before: press('Add an exemption', /^Add$/u),
  },
  {
    name: 'a rule that is not filled in',
    query: 'scene=busy',
    hash: '#/settings/rules',
    size: window,
    before: press('Add a rule', /^Add$/u),
  },
  {
    name: 'a refusal on a card',
    query: 'scene=problems',
    hash: '#/popover',
    size: small,
    before: press(/^End \d+ process/u),
  },
];

const sections = ['general', 'limits', 'agents', 'rules', 'hosts', 'notifications', 'privacy', 'about'] as const;

inBrowser('what opens', ({ shown }) => {
  test.for(opened)('$name has no violation, light or dark', async (view) => {
    const page = await shown().open(view, { colorScheme: 'light' });
    const light = await violationsOf(page, 'over-everything');
    await shown().look({ colorScheme: 'dark' });
    const dark = await violationsOf(page, 'colours');
    expect({ light, dark }).toEqual({ light: [], dark: [] });
  });

  // In a window they are views of accessibility.test.ts.
  test.for(sections)('settings, %s: nothing sticks out at double zoom on a page', async (section) => {
    // What 200 % zoom makes of a window of 860 × 640.
    const view = {
      name: section,
      query: 'scene=busy&surface=page',
      hash: `#/settings/${section}`,
      size: { width: 430, height: 320 },
    };
    expect(await overflow(await shown().open(view, { colorScheme: 'light' }))).toEqual([]);
  });

  test.for([
    { hash: '#/history', surface: 'page' },
    { hash: '#/history/incident-4', surface: 'page' },
    // In a window the others are views of accessibility.test.ts, and this one is a taller view.
    { hash: '#/history/incident-4', surface: 'desktop' },
  ])('$hash: nothing sticks out at double zoom, surface $surface', async ({ hash, surface }) => {
    // What 200 % zoom makes of a window of 1040 × 700.
    const size = { width: 520, height: 350 };
    const view = { name: hash, query: `scene=busy&surface=${surface}`, hash, size };
    expect(await overflow(await shown().open(view, { colorScheme: 'light' }))).toEqual([]);
  });
});
