import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect as pageExpect, type Browser, type Page } from '@playwright/test';
import { describe, test } from 'vitest';
import { z } from 'zod';
import { browserHere, launchChromium } from '../../ui/support/chromium.ts';
import { startCurfew, type Running } from '../scene/curfew.ts';
import { Scene } from '../scene/scene.ts';

const told = z.object({ url: z.url(), port: z.int(), opened: z.boolean(), already: z.boolean() });

/** Waits for what the page is to show, longer than the usual 5 s: jobs have to grow old first, on a machine that has more to do. */
export const expect = pageExpect.configure({ timeout: 60_000 });

/** What `curfew web --json` says. */
export type Told = z.infer<typeof told>;

/** A scene with a browser that is in its network, so that it reaches what listens on the scene's own loopback. */
export interface LiveScene {
  readonly stage: Scene;
  readonly browser: Browser;
}

/** `curfew web` as it runs, and the address it printed. */
export interface LiveServer {
  readonly running: Running;
  readonly told: Told;
}

/** Reads the one line that `curfew web --json` prints. */
export const readTold = (text: string): Told => told.parse(JSON.parse(text.slice(0, text.indexOf('\n'))));

/** Settings that make things happen within a test's patience. */
export const quick = { scanIntervalSeconds: 0.5, backgroundKillGraceSeconds: 10, orphanGraceSeconds: 600 } as const;

/** Starts `curfew web` and waits until it listens. */
export const startWeb = async (stage: Scene, args: readonly string[] = []): Promise<LiveServer> => {
  const running = await startCurfew(stage, ['web', '--json', '--no-open', ...args]);
  await stage.until('curfew web listens', () => {
    if (!stage.lives(running.identity)) throw new Error(`curfew web ended: ${running.stderr()}`);
    return running.stdout().includes('\n');
  });
  return { running, told: readTold(running.stdout()) };
};

/** Opens an address in a browser of its own (no cookies, nothing stored). */
export const openFresh = async (browser: Browser, url: string): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, locale: 'en-GB' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(url);
  return page;
};

/** A browser inside the scene's network and outside of its process table: nothing of it can be taken for a job. */
const browserIn = async (stage: Scene, folder: string): Promise<Browser> => {
  if ('reason' in browserHere) throw new Error(browserHere.reason);
  const wrapper = join(folder, 'chromium');
  const network = stage.proc.replace(/\/root\/proc$/u, '/ns/net');
  writeFileSync(wrapper, `#!/bin/sh\nexec nsenter --net=${network} -- ${browserHere.path} "$@"\n`, { mode: 0o755 });
  return launchChromium(wrapper);
};

const inLiveScene = async (play: (live: LiveScene) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-live-'));
  const stage = await Scene.open();
  let browser: Browser | null = null;
  try {
    browser = await browserIn(stage, folder);
    await play({ stage, browser });
  } finally {
    await browser?.close();
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Tests of the page against the real supervisor and real processes. Without a browser they are counted as skipped. */
export const live = (name: string, tests: Readonly<Record<string, (live: LiveScene) => Promise<void>>>): void => {
  const missing = 'reason' in browserHere ? browserHere.reason : null;
  // The reason stands in the name, so that whoever reads the count finds it.
  const title: string = missing === null ? name : `${name} (${missing})`;
  // eslint-disable-next-line vitest/valid-title -- it is a string; the rule looks for a literal
  describe.skipIf(missing !== null)(title, () => {
    for (const [what, play] of Object.entries(tests)) {
      // eslint-disable-next-line vitest/expect-expect, vitest/valid-title -- the plays do
      test(what, async () => inLiveScene(play));
    }
  });
};
