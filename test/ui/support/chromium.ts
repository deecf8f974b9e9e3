import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';

/** Debian's package; `CHROMIUM` names another. Playwright's own download is not used, so that a test run needs no other server. */
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** As root there is no sandbox, and a browser that looks for updates disturbs measurements. */
const chromiumArguments = ['--no-sandbox', '--disable-background-networking', '--font-render-hinting=none'];

/** Starts the browser, or a program that starts it elsewhere. Throws with what to install when there is none. */
export const launchChromium = async (executablePath: string = chromiumPath): Promise<Browser> => {
  if (!existsSync(chromiumPath)) {
    throw new Error(
      `There is no browser at ${chromiumPath}. Install it (Debian: apt-get install chromium) or name one in CHROMIUM.`,
    );
  }
  return chromium.launch({
    executablePath,
    args: chromiumArguments,
    env: { ...process.env, FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf') },
  });
};
