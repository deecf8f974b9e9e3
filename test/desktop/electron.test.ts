import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, expect, type ElectronApplication, type Page } from '@playwright/test';
import { describe, onTestFinished, test } from 'vitest';
import { electronBinary } from './support/electron-binary.ts';
import { overdueSleep } from './support/overdue-rule.ts';
import { walk, type WalkedDesktop } from './support/walk.ts';

// The same walk on the real Electron, where there is one (Playwright's support for it is
// experimental: https://playwright.dev/docs/api/class-electron). It has not been run on the machine
// on which it was written.

/** What support/electron-hook.cjs records inside the app. */
interface Seen {
  readonly tray: Electron.Tray | null;
  readonly tip: string;
  readonly menu: Electron.Menu | null;
  readonly notifications: readonly string[];
}

const project = join(import.meta.dirname, '../..');
const patience = { timeout: 60_000 };
const binary = electronBinary();
const missing = 'missing' in binary ? binary.missing : null;
// Printed, because the reporter shows no names of skipped tests.
if (missing !== null) console.warn(`The walk on Electron is skipped: ${missing}.`);
const title: string = missing === null ? 'the app on Electron' : `the app on Electron (skipped: ${missing})`;

const launch = async (executablePath: string, home: string): Promise<ElectronApplication> => {
  const app = await _electron.launch({
    executablePath,
    cwd: project,
    // Chromium has no sandbox as root.
    args: [
      '-r',
      join(import.meta.dirname, 'support/electron-hook.cjs'),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      project,
    ],
    env: { ...(process.env as Record<string, string>), CURFEW_HOME: home },
  });
  onTestFinished(() => app.close());
  return app;
};

const desktopOf = (app: ElectronApplication): WalkedDesktop => {
  const tip = () => app.evaluate(() => (globalThis as unknown as { curfewDesktop: Seen }).curfewDesktop.tip);
  const notifications = () =>
    app.evaluate(() => (globalThis as unknown as { curfewDesktop: Seen }).curfewDesktop.notifications.join('\n'));
  return {
    trayTells: async (text) => expect.poll(tip, patience).toContain(text),
    notified: async (text) => expect.poll(notifications, patience).toContain(text),
    clickTray: () =>
      app.evaluate(() => {
        const { tray } = (globalThis as unknown as { curfewDesktop: Seen }).curfewDesktop;
        tray?.emit('click', {}, { x: 0, y: 0, width: 0, height: 0 }, { x: 0, y: 0 });
      }),
    choose: (entry) =>
      app.evaluate((_module, start) => {
        const { menu } = (globalThis as unknown as { curfewDesktop: Seen }).curfewDesktop;
        menu?.items.find(({ label }) => label.startsWith(start))?.click();
      }, entry),
    page: async (place) => {
      const find = (): Page | undefined => app.windows().find((page) => page.url().includes(place));
      await expect.poll(find, patience).toBeDefined();
      const page = find();
      if (page === undefined) throw new Error(`the window of ${place} was closed again`);
      return page;
    },
  };
};

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

// eslint-disable-next-line vitest/valid-title -- it is a string; the rule looks for a literal
describe.skipIf(missing !== null)(title, () => {
  test('an overdue job shows in the tray, is reaped in the popover, and is found in the history', async () => {
    if ('missing' in binary) throw new Error(binary.missing);
    const home = mkdtempSync(join(tmpdir(), 'curfew-walk-'));
    const seconds = 80_000 + (process.pid % 10_000);
    writeFileSync(join(home, 'settings.json'), JSON.stringify(overdueSleep(seconds)));
    const job = spawn('sleep', [String(seconds)], { detached: true, stdio: 'ignore' });
    onTestFinished(() => {
      job.kill('SIGKILL');
      rmSync(home, { recursive: true, force: true });
    });
    const app = await launch(binary.path, home);
    await walk(desktopOf(app), {
      command: `sleep ${seconds}`,
      afterwards: 'Nothing is left behind',
      gone: () => ended(job),
    });
    const exposed = await (await desktopOf(app).page('#/history')).evaluate('Object.keys(window.curfew).toSorted()');
    expect(exposed).toEqual(['ask', 'on', 'onConnection']);
  });
});
