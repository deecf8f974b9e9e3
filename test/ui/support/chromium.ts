import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { findChromium } from '../../../build/scripts/find-chromium.ts';
import { temporaryFolder } from '../../../build/scripts/readable-copy.ts';

/** The browser of the tests; see `findChromium`. */
export const browserHere = findChromium();

/** As root there is no sandbox, and a browser that looks for updates disturbs measurements. */
const chromiumArguments = ['--no-sandbox', '--disable-background-networking', '--font-render-hinting=none'];

/**
 * Starts the browser, or a program that starts it elsewhere. Throws with installation advice if
 * there is none.
 */
export const launchChromium = async (program?: string): Promise<Browser> => {
  if ('reason' in browserHere) throw new Error(browserHere.reason);
  return chromium.launch({
    executablePath: program ?? browserHere.path,
    args: chromiumArguments,
    // Before the tests of a file, where nothing is tried a second time.
    timeout: 110_000,
    // It makes a socket in its temporary folder, whose path may not be long.
    env: {
      ...process.env,
      TMPDIR: temporaryFolder(tmpdir()),
      FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf'),
    },
  });
};
