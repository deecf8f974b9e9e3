import { expect as impatient } from '@playwright/test';

/**
 * Playwright's `expect`, which waits for what it expects: long enough for a machine that has other
 * things to do.
 */
export const expect = impatient.configure({ timeout: 60_000 });
