import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect as pageExpect, type Browser, type Page } from '@playwright/test';
import { describe, test } from 'vitest';
import { z } from 'zod';
import { browserHere, launchChromium } from '../../ui/support/chromium.ts';
import { startCurfew, type RunOptions, type Running } from '../scene/curfew.ts';
import { Scene } from '../scene/scene.ts';

const told = z.object({ url: z.url(), port: z.int(), opened: z.boolean(), already: z.boolean() });

/**
 * Waits for a state of the page for longer than the usual 5 s: jobs have to age first, on a busy
 * machine.
 */
export const expect = pageExpect.configure({ timeout: 60_000 });

/** Output of `curfew web --json`. */
export type Told = z.infer<typeof told>;

/** A scene with a browser in its network, which reaches the scene's own loopback. */
export interface LiveScene {
  readonly stage: Scene;
  readonly browser: Browser;
}

/** A running `curfew web`, and the address it printed. */
export interface LiveServer {
  readonly running: Running;
  readonly told: Told;
}

/** Reads the one line that `curfew web --json` prints. */
export const readTold = (text: string): Told => told.parse(JSON.parse(text.slice(0, text.indexOf('\n'))));

/** Settings that make a test fast. */
export const quick = { scanIntervalSeconds: 0.5, backgroundKillGraceSeconds: 10, orphanGraceSeconds: 600 } as const;

/** Starts `curfew web` and waits until it listens. */
export const startWeb = async (
  stage: Scene,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<LiveServer> => {
  const running = await startCurfew(stage, ['web', '--json', '--no-open', ...args], options);
  await stage.until('curfew web listens', () => {
    if (!stage.lives(running.identity)) throw new Error(`curfew web ended: ${running.stderr()}`);
    return running.stdout().includes('\n');
  });
  return { running, told: readTold(running.stdout()) };
};

/** Opens an address in a fresh browser (no cookies, no storage). */
export const openFresh = async (browser: Browser, url: string): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, locale: 'en-GB' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(url);
  return page;
};

/**
 * A browser inside the scene's network and outside its process table: it can't be taken for a job.
 */
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

/** Tests of the page against the real supervisor and real processes. Skipped without a browser. */
export const live = (name: string, tests: Readonly<Record<string, (live: LiveScene) => Promise<void>>>): void => {
  const missing = 'reason' in browserHere ? browserHere.reason : null;
  // The reason is in the name, so that it appears in the summary.
  const title: string = missing === null ? name : `${name} (SKIPPED: ${missing})`;
  // eslint-disable-next-line vitest/valid-title -- it is a string; the rule looks for a literal
  describe.skipIf(missing !== null)(title, () => {
    for (const [what, play] of Object.entries(tests)) {
      // eslint-disable-next-line vitest/expect-expect, vitest/valid-title -- the plays do
      test(what, async () => inLiveScene(play));
    }
  });
};
