import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Scene } from '../scene/scene.ts';
import { writeSettings } from '../scene/watching.ts';
import { expect, live, openFresh, quick, startWeb } from './live-page.ts';

/** Before the upgrade. */
const restarts = Number(process.env['CURFEW_TEST_RESTARTS']);

/** Where another user has a home, a restart signs browsers out; here none has. */
const alone = (then: string): readonly string[] => [
  '/usr/bin/unshare',
  '--mount',
  '/bin/sh',
  '-c',
  `mount -t tmpfs none /home && node=$0 && ${then}`,
];
const installed = alone('exec "$node" "$@"');
const upgraded = alone('shift && exec "$node" /tmp/upgraded/build/out/cli/curfew.js "$@"');

/** Lays down another Curfew, none of whose page's files has the name that it has in this one. */
const upgrade = (stage: Scene): void => {
  const folder = join(stage.outside('/tmp/upgraded'), 'build/out');
  const ours = join(import.meta.dirname, '../../../build/out');
  for (const part of ['cli', 'renderer']) cpSync(join(ours, part), join(folder, part), { recursive: true });
  cpSync(join(ours, '../../package.json'), join(folder, '../../package.json'));
  const assets = join(folder, 'renderer/assets');
  const renamed = readdirSync(assets).map((name) => [name, name.replace(/\.(\w+)$/u, '-new.$1')] as const);
  for (const [before, after] of renamed) renameSync(join(assets, before), join(assets, after));
  for (const path of [join(folder, 'renderer/index.html'), ...renamed.map(([, after]) => join(assets, after))]) {
    if (!/\.(?:html|js|css)$/u.test(path)) continue;
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      renamed.reduce((now, [before, after]) => now.replaceAll(before, after), text),
    );
  }
};

/** Opens each view; none of them is white, whether Curfew is there or not. */
const visitAll = async (page: Page): Promise<void> => {
  for (const name of ['Sessions', 'History', 'Settings', 'Jobs']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('main, [role=tabpanel]').first()).toBeVisible();
    await expect(page.getByText('This view could not be loaded')).toHaveCount(0);
  }
};

/** Bytes of what the page holds, once all garbage is gone. */
const heapOf = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
};

live('a page that is left open', {
  'stays signed in over restarts and an upgrade of the server, is never white, and does not grow': async ({
    stage,
    browser,
  }) => {
    writeSettings(stage, { ...quick, mode: 'observe' });
    upgrade(stage);
    let server = await startWeb(stage, [], { through: installed });
    const { port } = server.told;
    const page = await openFresh(browser, server.told.url);
    await expect(page.getByText('All quiet').or(page.getByText(/^Nothing found/u))).toBeVisible();
    await visitAll(page);
    const away = page.getByText(/^Curfew can’t be reached\. This is the state at/u);
    const signedOut = page.getByText(/signed in/u);
    const heaps: number[] = [];
    for (let restart = 0; restart <= restarts; restart += 1) {
      await server.running.signal('TERM');
      await server.running.ended();
      await expect(away).toBeVisible();
      await visitAll(page);
      server = await startWeb(stage, [], { through: restart < restarts ? installed : upgraded });
      expect(server.told.port).toBe(port);
      await expect(away).toHaveCount(0);
      await visitAll(page);
      await expect(signedOut).toHaveCount(0);
      heaps.push(await heapOf(page));
    }
    const [first = 0] = heaps;
    expect(Math.max(...heaps)).toBeLessThan(first * 1.5);
    console.log(`MB: ${heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ')}`);
    await page.reload();
    await visitAll(page);
    await expect(signedOut).toHaveCount(0);
    expect(await page.locator('script[src]').first().getAttribute('src')).toContain('-new.');
  },
});
