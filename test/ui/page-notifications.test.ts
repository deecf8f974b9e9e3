import type { Page } from '@playwright/test';
import { test } from 'vitest';
import { inBrowser } from './support/in-browser.ts';
import { expect } from './support/patient.ts';

declare global {
  interface Window {
    /** Every notification that the page made, with whether it is still up. */
    told: { readonly shown: Notification; open: boolean }[];
    /** Whether the user looks at the page. */
    lookedAt: boolean;
  }
}

const size = { width: 1040, height: 900 };

/**
 * Notes the browser's own notifications as the page makes them; a page that a test has opened
 * always says that it has the focus.
 */
const listen = async (page: Page): Promise<void> => {
  await page.evaluate(() => {
    window.told = [];
    window.lookedAt = false;
    document.hasFocus = () => window.lookedAt;
    const Browsers = window.Notification;
    window.Notification = class extends Browsers {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        window.told.push({ shown: this, open: true });
      }
      override close(): void {
        for (const one of window.told) if (one.shown === this) one.open = false;
        super.close();
      }
    };
  });
};

const becomesOverdue = async (page: Page, id: string): Promise<void> => {
  await page.evaluate((job) => {
    const { engine } = window.scene;
    const needing = engine.snapshot.jobs.find(({ verdict }) => verdict.state === 'overdue');
    if (needing === undefined) throw new Error('no job is overdue');
    engine.changeJob(job, { verdict: needing.verdict });
  }, id);
};

const calm = async (page: Page): Promise<string> =>
  page.evaluate(() => {
    const job = window.scene.engine.snapshot.jobs.find(({ verdict }) => verdict.action === 'none');
    if (job === undefined) throw new Error('every job needs a look');
    return job.id;
  });

const titles = async (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => window.told.map(({ shown }) => shown.title));

inBrowser('notifications of the page', ({ shown }) => {
  const open = async (hash: string): Promise<Page> => {
    const page = await shown().open(
      { name: 'page', query: 'scene=busy&surface=page', hash, size },
      { colorScheme: 'light' },
    );
    await listen(page);
    return page;
  };

  test('the settings ask the browser for permission on a click, and show its answer', async () => {
    const page = await open('#/popover');
    // Without a user a headless browser answers at once; here it waits for an answer and then
    // allows.
    await page.evaluate(() => {
      let permission: NotificationPermission = 'default';
      window.Notification = class extends window.Notification {
        static override get permission(): NotificationPermission {
          return permission;
        }
        static override async requestPermission(): Promise<NotificationPermission> {
          permission = 'granted';
          return Promise.resolve(permission);
        }
      };
      window.location.hash = '#/settings/notifications';
    });
    await expect(page.getByText(/^Allow once;/u)).toBeVisible();
    // It has no popover.
    await expect(page.getByText('Everything here also appears under Jobs and History.')).toBeVisible();
    await page.getByRole('button', { name: 'In this browser Allow…' }).click();
    await expect(page.getByText(/^Allowed\. Shown while/u)).toBeVisible();
    await expect(page.getByRole('button', { name: 'In this browser Allow…' })).toHaveCount(0);
  });

  test('a hidden page notifies about a job that needs a look; a click opens the job, and its end removes the notification', async () => {
    await shown().page.context().grantPermissions(['notifications']);
    const page = await open('#/history');
    const id = await calm(page);
    await becomesOverdue(page, id);
    await page.waitForFunction(() => window.told.length === 1);
    expect(await titles(page)).toEqual([expect.stringMatching(/is overdue$/u)]);
    await page.evaluate(() => window.told[0]?.shown.dispatchEvent(new Event('click')));
    await page.waitForFunction((job) => window.location.hash === `#/popover/${job}`, id);
    expect(await page.evaluate(() => window.told[0]?.open)).toBe(false);

    const second = await calm(page);
    await becomesOverdue(page, second);
    await page.waitForFunction(() => window.told.length === 2);
    await page.evaluate((job) => {
      const { engine } = window.scene;
      engine.change({ jobs: engine.snapshot.jobs.filter((one) => one.id !== job) });
    }, second);
    await page.waitForFunction(() => window.told[1]?.open === false);
  });

  test('a visible page shows no notifications, and its title has the count', async () => {
    await shown().page.context().grantPermissions(['notifications']);
    const page = await open('#/popover');
    const before = Number(/^\((\d+)\) Curfew$/u.exec(await page.title())?.[1]);
    await page.evaluate(() => {
      window.lookedAt = true;
    });
    await becomesOverdue(page, await calm(page));
    await page.waitForFunction((title) => document.title === title, `(${before + 1}) Curfew`);
    expect(await titles(page)).toEqual([]);
  });
});
