// Draws what `curfew scan` says of three closed sessions for the README (npm run screenshots).
import { join } from 'node:path';
import sharp from 'sharp';
import { scanTable } from '../../../main/cli/common/scan-table.ts';
import type { Look } from '../../../main/observing/look.ts';
import { claudeEnvironment, claudeShell, environments, type Plant } from '../jobs/plant.ts';
import { Stage } from '../supervisor/stage.ts';
import { launchChromium } from '../../ui/support/chromium.ts';

/** The picture is shown at half its size, so that it is sharp on dense screens. */
const density = 2;
const columns = 92;

/** Jobs of three sessions that no process has any more, each under its shell. */
const plants: readonly Plant[] = [
  {
    pid: 4101,
    start: 88_700,
    sid: 4101,
    argv: claudeShell('npm run dev'),
    env: claudeEnvironment({ pid: 34 }),
    cwd: '/home/me/shop',
    ports: [5173],
  },
  { pid: 4102, start: 88_710, ppid: 4101, argv: 'node node_modules/.bin/vite', env: claudeEnvironment({ pid: 34 }) },
  {
    pid: 4201,
    start: 40_400,
    sid: 4201,
    argv: claudeShell('npx -y marked 01.md -o 01.html | tail -3'),
    env: claudeEnvironment({ pid: 35 }),
    cwd: '/home/me/notes',
  },
  { pid: 4202, start: 40_401, ppid: 4201, argv: 'node marked 01.md -o 01.html', env: claudeEnvironment({ pid: 35 }) },
  {
    pid: 4301,
    start: 96_900,
    sid: 4301,
    argv: 'pytest -n 8 tests/integration',
    env: environments.codex('0199'),
    cwd: '/home/me/api',
  },
];

/** Megabytes by the first process. */
const megabytes: Readonly<Record<number, number>> = { 4101: 480, 4201: 312, 4301: 1100 };

const withMemory = (look: Look): Look => ({
  ...look,
  tookMs: 4,
  jobs: new Map(
    [...look.jobs].map(([id, judged]) => {
      const { job } = judged;
      const holds = { ...job.holds, rssBytes: (megabytes[job.root.pid] ?? 1) * 1e6 };
      return [id, { ...judged, job: { ...job, holds } }];
    }),
  ),
});

/** The styles of a terminal by their numbers (ECMA-48, SGR). */
const styles: Readonly<Record<string, string>> = {
  1: 'font-weight: 700',
  2: 'opacity: 0.65',
  31: 'color: #ff8b7d',
  32: 'color: #8fd694',
  33: 'color: #f3c877',
  36: 'color: #7fd1de',
};

const htmlOf = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    // eslint-disable-next-line no-control-regex
    .replaceAll(/\u001B\[(?<code>\d+)m/gu, (_all, code: string) =>
      styles[code] === undefined ? '</span>' : `<span style="${styles[code]}">`,
    );

const stage = new Stage(...plants);
stage.settings = { ...stage.settings, mode: 'observe' };
const said = scanTable(withMemory(stage.observer.look()), { colour: true, columns }, { explain: false, all: false });
const browser = await launchChromium();
const page = await browser.newPage({ deviceScaleFactor: density, viewport: { width: 900, height: 600 } });
const box = 'margin: 0; padding: 14px 18px; width: max-content; background: #1b1c21; color: #e8e8ec';
await page.setContent(
  `<body style="margin: 0"><pre style="${box}; font: 13px/1.5 monospace"><b>$ curfew scan</b>\n${htmlOf(said)}</pre>`,
);
await sharp(await page.locator('pre').screenshot())
  .webp({ quality: 70, effort: 6 })
  .toFile(join(import.meta.dirname, '../../../docs/pictures/scan.webp'));
await browser.close();
