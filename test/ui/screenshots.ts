// npm run screenshots [-- name…]: a picture of every view and state, light and dark, in
// build/out/screenshots; without a name, or with `tour`, also the README's tour, in build/readme;
// without, or with `readme`, its pictures of the history, in docs/pictures. Reports an empty
// picture or a page with errors, and then exits with 1.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { launchChromium } from './support/chromium.ts';
import { ViewPage } from './support/open-view.ts';
import { startSceneServer } from './support/scene-server.ts';
import { writeTour } from './support/tour.ts';
import { views } from './support/views.ts';

const folder = join(import.meta.dirname, '../../build/out/screenshots');
mkdirSync(folder, { recursive: true });

const documents = join(import.meta.dirname, '../../build/readme');

const wanted = process.argv.slice(2);
const chosen = views.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const server = await startSceneServer();
const browser = await launchChromium();
const complained: string[] = [];
for (const view of chosen) {
  // Each on a page of its own, so that it is always the same time of day.
  const shown = await ViewPage.make(browser, server.url, 2);
  const page = await shown.open(view, { colorScheme: 'light' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await shown.look({ colorScheme });
    await shown.settled();
    await page.screenshot({ path: join(folder, `${view.name}-${colorScheme}.png`) });
  }
  if ((await page.getByText(/\w/u).filter({ visible: true }).count()) === 0)
    complained.push(`${view.name}: nothing is on it`);
  complained.push(...shown.complaints().map((complaint) => `${view.name}: ${complaint}`));
  await shown.close();
}
if (wanted.length === 0 || wanted.includes('tour')) {
  for (const colorScheme of ['light', 'dark'] as const)
    await writeTour(browser, server.url, colorScheme, join(documents, `tour-${colorScheme}.webp`));
}
if (wanted.length === 0 || wanted.includes('readme')) {
  const pictures = join(import.meta.dirname, '../../docs/pictures');
  mkdirSync(pictures, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    const shown = await ViewPage.make(browser, server.url, 2);
    const size = { width: 900, height: 560 };
    const page = await shown.open(
      { name: 'history', query: 'scene=busy', hash: '#/history/incident-4', size },
      { colorScheme },
    );
    const picture = sharp(await page.screenshot()).webp({ quality: 60, effort: 6 });
    await picture.toFile(join(pictures, `history-${colorScheme}.webp`));
    await shown.close();
  }
}
await browser.close();
await server.close();
for (const complaint of complained) console.error(complaint);
console.log(`${chosen.length * 2} pictures in ${folder}`);
process.exitCode = complained.length > 0 ? 1 : 0;
