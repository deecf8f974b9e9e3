import { accessSync, constants } from 'node:fs';
import { chromium } from '@playwright/test';

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser that tests use, or why there is none and what to do. */
export type ChromiumFound = { readonly path: string } | { readonly reason: string };

/**
 * Finds a Chromium for tests: the program in `CHROMIUM`, Debian's package (`/usr/bin/chromium`),
 * Google Chrome, or what `npx playwright install chromium` downloaded. A `CHROMIUM` that can't run
 * is reported, never replaced by another.
 */
export const findChromium = (): ChromiumFound => {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '')
    return canRun(named) ? { path: named } : { reason: `CHROMIUM names ${named}, which can't be run` };
  // Wine shows the files of Linux at such paths, too.
  const ofLinux = process.platform === 'linux' ? ['/usr/bin/chromium', '/usr/bin/google-chrome'] : [];
  const path = [...ofLinux, chromium.executablePath()].find(canRun);
  if (path !== undefined) return { path };
  return {
    reason:
      'no Chromium was found: install one (Debian: apt-get install chromium, elsewhere npx playwright install chromium) or name one in CHROMIUM',
  };
};
