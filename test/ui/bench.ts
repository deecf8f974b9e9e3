// npm run bench:ui: measures how fast the popover opens with 300 jobs and whether it stays
// responsive while snapshots arrive. Prints one JSON document; no test compares the figures.
// Loading is interleaved with an empty page. Each wall clock figure has the CPU time of the page's
// main thread beside it, which does not depend on the load of the machine.
import type { Browser, CDPSession, Page } from '@playwright/test';
import { launchChromium } from './support/chromium.ts';
import { startScenePage } from './support/scene-page.ts';
import { traceTasks } from './support/trace-tasks.ts';

const rounds = 7;
const looks = 12;

/** Wall clock and processor time of the main thread, milliseconds. */
interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const median = (values: readonly number[]): number =>
  Math.round(values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0);

const medians = (costs: readonly Cost[]): Cost => ({
  wallMs: median(costs.map(({ wallMs }) => wallMs)),
  cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
});

/** Processor time that the page's main thread has taken since it was made. */
const cpuMs = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
};

const newPage = async (browser: Browser): Promise<{ readonly page: Page; readonly session: CDPSession }> => {
  const context = await browser.newContext({ viewport: { width: 400, height: 560 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return { page, session };
};

/** Time from the request of the page to the frame after `selector` appears. */
const load = async (page: Page, session: CDPSession, url: string, selector: string): Promise<Cost> => {
  const before = await cpuMs(session);
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor();
  const wallMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        requestAnimationFrame(() => {
          resolve(performance.now());
        });
      }),
  );
  return { wallMs, cpuMs: (await cpuMs(session)) - before };
};

/** From a click in a window that is there to the frame in which the cards are. */
const open = async (page: Page, session: CDPSession): Promise<Cost> => {
  await page.evaluate(() => {
    window.location.hash = '#/settings';
  });
  await page.getByRole('tab').first().waitFor();
  await page.waitForTimeout(300);
  const before = await cpuMs(session);
  const wallMs = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now();
        const look = (): void => {
          if (document.querySelector('article button') === null) requestAnimationFrame(look);
          else resolve(performance.now() - startedAt);
        };
        window.location.hash = '#/popover';
        requestAnimationFrame(look);
      }),
  );
  return { wallMs, cpuMs: (await cpuMs(session)) - before };
};

const server = await startScenePage('crowded');
const browser = await launchChromium();
const empty: Cost[] = [];
const loaded: Cost[] = [];
const opened: Cost[] = [];
const tasks: { readonly wallMs: number; readonly cpuMs: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const nothing = await newPage(browser);
  empty.push(await load(nothing.page, nothing.session, 'data:text/html,<h1>Empty</h1>', 'h1'));
  await nothing.page.context().close();
  const { page, session } = await newPage(browser);
  const address = server.address();
  await page.goto(address);
  await page.locator('article button').first().waitFor();
  // Signed in; what is measured is opening the page as one does from then on.
  await page.goto('about:blank');
  loaded.push(await load(page, session, new URL(address).origin, 'article button'));
  opened.push(await open(page, session));
  // Twelve looks in quick succession: a minute of the real thing.
  const traced = await traceTasks(browser, page, async () => {
    for (let look = 0; look < looks; look += 1) {
      server.engine.look();
      await page.waitForTimeout(150);
    }
  });
  tasks.push(...traced);
  await page.context().close();
}
await browser.close();
await server.close();
const long = (of: (task: Cost) => number): readonly number[] =>
  tasks.map((task) => Math.round(of(task))).filter((ms) => ms > 50);
console.log(
  JSON.stringify({
    jobs: 300,
    rounds,
    emptyPage: medians(empty),
    loaded: medians(loaded),
    openedInAWindow: medians(opened),
    whileSnapshotsArrive: {
      looks: rounds * looks,
      tasksOver50Ms: { wallMs: long(({ wallMs }) => wallMs), cpuMs: long((task) => task.cpuMs) },
      maxTask: {
        wallMs: Math.round(Math.max(...tasks.map(({ wallMs }) => wallMs))),
        cpuMs: Math.round(Math.max(...tasks.map((task) => task.cpuMs))),
      },
    },
  }),
);
