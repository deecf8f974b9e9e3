// npm run icons: draws build/icons/sources at every size, with the browser of the interface tests.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { drawings, icoFiles, recordFile } from '../icons/drawings.ts';
import { icoOf } from '../icons/ico.ts';

const icons = join(import.meta.dirname, '../icons');

// Debian's package; `CHROMIUM` names another.
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
});
try {
  const page = await browser.newPage();
  for (const folder of ['tray', 'program', 'windows']) rmSync(join(icons, folder), { recursive: true, force: true });
  const hashes: Record<string, string> = {};
  for (const { source, colour, edge, pixels, file } of drawings) {
    const svg = readFileSync(join(icons, 'sources', source), 'utf8');
    hashes[source] = createHash('sha256').update(svg).digest('hex');
    const size = `width: ${pixels}px; height: ${pixels}px`;
    await page.setViewportSize({ width: pixels, height: pixels });
    // A twentieth of its width at each side.
    const sides = [`${pixels / 20}px 0`, `-${pixels / 20}px 0`, `0 ${pixels / 20}px`, `0 -${pixels / 20}px`];
    const filter = edge === null ? 'none' : sides.map((by) => `drop-shadow(${by} 0 ${edge})`).join(' ');
    const style = `display: block; ${size}; filter: ${filter}`;
    await page.setContent(`<style>body { margin: 0; color: ${colour ?? 'inherit'} } svg { ${style} }</style>${svg}`);
    const path = join(icons, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await page.screenshot({ omitBackground: true }));
  }
  for (const { file, of } of icoFiles) {
    const pictures = of.map((one) => ({ pixels: one.pixels, png: readFileSync(join(icons, one.file)) }));
    mkdirSync(dirname(join(icons, file)), { recursive: true });
    writeFileSync(join(icons, file), icoOf(pictures));
  }
  writeFileSync(join(icons, recordFile), `${JSON.stringify(hashes, null, 2)}\n`);
} finally {
  await browser.close();
}
