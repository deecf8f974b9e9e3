import type { Browser } from '@playwright/test';
import { afterAll, beforeAll, describe } from 'vitest';
import { scene, type Scene } from '../../os/scene/scene.ts';
import { runCurfew } from '../../os/scene/curfew.ts';
import { browserHere, launchChromium } from '../../ui/support/chromium.ts';
import { StandingIn } from './standing-in.ts';
import type { WalkedDesktop } from './walk.ts';

/** What a test on the stand-in uses. */
export interface OnStandIn {
  /** Runs a test in its own scene, in which `start` starts the app; everything ends with it. */
  readonly inScene: (play: (stage: Scene, start: () => Promise<StandingIn>) => Promise<void>) => () => Promise<void>;
}

/** Changes settings through the command line, as users do. */
export const setSettings = async (stage: Scene, settings: Readonly<Record<string, string | number>>): Promise<void> => {
  for (const [key, value] of Object.entries(settings)) {
    const run = await runCurfew(stage, ['settings', 'set', key, String(value)]);
    if (run.code !== 0) throw new Error(`settings set ${key}: ${run.stderr}`);
  }
};

/** Returns the stand-in's desktop for the walk. */
export const walked = (app: StandingIn): WalkedDesktop => ({
  trayTells: (text) => app.trayTells(text),
  notified: (text) => app.notification(text),
  clickTray: () => app.line.order({ do: 'click-tray' }),
  choose: (entry) => app.line.order({ do: 'choose', path: [entry] }),
  page: (place) => app.page(place),
});

const missing = (): string | null => {
  if (process.platform !== 'linux') return 'scenes of processes are set on Linux only';
  return 'reason' in browserHere ? browserHere.reason : null;
};

/**
 * Runs tests of the built app on the stand-in for Electron, with Chromium for its windows; skipped
 * where Chromium is missing.
 */
export const onStandIn = (name: string, tests: (given: OnStandIn) => void): void => {
  const reason = missing();
  const title: string = reason === null ? name : `${name} (SKIPPED: ${reason})`;
  // eslint-disable-next-line vitest/valid-title -- it is a string; the rule looks for a literal
  describe.skipIf(reason !== null)(title, () => {
    let browser: Browser | undefined;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser?.close();
    });
    tests({
      inScene: (play) =>
        scene(async (stage) => {
          const apps: StandingIn[] = [];
          try {
            await play(stage, async () => {
              if (browser === undefined) throw new Error('the browser was not started');
              const app = await StandingIn.start(stage, browser);
              apps.push(app);
              return app;
            });
          } finally {
            for (const app of apps) app.close();
          }
        }),
    });
  });
};
