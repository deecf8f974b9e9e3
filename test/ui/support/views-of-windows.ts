import type { Page } from '@playwright/test';
import { sizes, type ViewSketch } from './view-sketch.ts';

const { settings, history, tab, phone } = sizes;

const measured = async (page: Page): Promise<void> => {
  await page.getByRole('table').first().waitFor();
};

const listed = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 2 }).first().waitFor();
};

/** The first run, the settings, the history, the sessions, ports and files. */
export const viewsOfWindows: readonly ViewSketch[] = [
  { name: 'welcome', query: 'scene=first-run', hash: '#/welcome', size: { width: 520, height: 640 } },
  {
    name: 'welcome-chosen',
    query: 'scene=first-run',
    hash: '#/welcome',
    size: { width: 520, height: 640 },
    before: async (page) => {
      await page.getByRole('radio').first().click();
      await page.getByRole('radio', { checked: true }).waitFor();
    },
  },
  {
    name: 'welcome-setup',
    query: 'scene=first-run',
    hash: '#/welcome',
    size: { width: 560, height: 860 },
    before: async (page) => {
      await page.getByRole('radio').last().click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('switch', { name: 'Start at login' }).waitFor();
    },
  },
  ...['general', 'limits', 'agents', 'rules', 'hosts', 'notifications', 'privacy', 'about'].map((section) => ({
    name: `settings-${section}`,
    query: 'scene=busy',
    hash: `#/settings/${section}`,
    size: settings,
  })),
  {
    name: 'settings-guard',
    query: 'scene=busy',
    hash: '#/settings/agents',
    size: { width: 860, height: 1500 },
    before: async (page) => {
      await page.getByRole('switch', { name: 'Check commands before they run' }).click();
      await page.getByText('On. Reinstall the hooks above').waitFor();
    },
  },
  {
    name: 'settings-preview',
    query: 'scene=busy',
    hash: '#/settings/limits',
    size: { width: 860, height: 1100 },
    before: async (page) => {
      await page.getByRole('textbox', { name: 'Overdue after' }).fill('5 min');
      await page.getByText('These limits would change 2 running jobs:').waitFor();
    },
  },
  {
    name: 'settings-refused',
    query: 'scene=busy',
    hash: '#/settings/limits',
    size: { width: 320, height: 568 },
    before: async (page) => {
      await page.getByRole('textbox', { name: 'Notice' }).fill('2 min');
      await page.getByRole('textbox', { name: 'Overdue after' }).fill('soon');
      await page.getByText('Enter a duration like').waitFor();
    },
  },
  {
    name: 'settings-tested',
    query: 'scene=busy',
    hash: '#/settings/rules',
    size: { width: 860, height: 1100 },
    before: async (page) => {
      await page.getByRole('textbox', { name: 'Command line' }).fill("/bin/bash -c source x && eval 'npm run dev'");
      await page.getByRole('button', { name: 'Test' }).click();
      await page.getByText('Claude Code, claude-shell').waitFor();
    },
  },
  {
    name: 'settings-diagnostics',
    query: 'scene=busy',
    hash: '#/settings/about',
    size: { width: 860, height: 1100 },
    before: async (page) => {
      await page.getByRole('button', { name: 'Run diagnostics' }).click();
      await page.getByRole('button', { name: 'Run again' }).waitFor();
    },
  },
  {
    name: 'history',
    query: 'scene=busy',
    hash: '#/history',
    size: history,
  },
  { name: 'history-incident', query: 'scene=busy', hash: '#/history/incident-4', size: { width: 1040, height: 1000 } },
  { name: 'history-narrow', query: 'scene=busy', hash: '#/history/incident-4', size: { width: 480, height: 760 } },
  { name: 'history-empty', query: 'scene=empty&history=0', hash: '#/history', size: history },
  {
    name: 'history-none',
    query: 'scene=busy',
    hash: '#/history',
    size: history,
    before: async (page) => {
      await page.getByRole('searchbox').fill('nothing is called this');
      await page.getByRole('listbox', { name: 'Incidents' }).waitFor({ state: 'detached' });
    },
  },
  { name: 'sessions', query: 'scene=busy', hash: '#/sessions', size: settings, before: measured },
  { name: 'sessions-narrow', query: 'scene=busy', hash: '#/sessions', size: phone, before: measured },
  { name: 'sessions-page', query: 'scene=busy&surface=page', hash: '#/sessions', size: tab, before: measured },
  { name: 'ports', query: 'scene=leftovers', hash: '#/ports', size: settings, before: listed },
  { name: 'ports-narrow', query: 'scene=leftovers', hash: '#/ports', size: phone, before: listed },
  { name: 'files', query: 'scene=busy', hash: '#/files', size: settings, before: listed },
  { name: 'files-narrow', query: 'scene=busy', hash: '#/files', size: phone, before: listed },
  { name: 'files-page', query: 'scene=busy&surface=page', hash: '#/files', size: tab, before: listed },
  { name: 'files-empty', query: 'scene=empty', hash: '#/files', size: settings },
  {
    name: 'files-remove',
    query: 'scene=busy',
    hash: '#/files',
    size: settings,
    before: async (page) => {
      await page.getByRole('button', { name: /^Remove 3 entries/u }).click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  { name: 'sessions-empty', query: 'scene=empty', hash: '#/sessions', size: settings },
];
