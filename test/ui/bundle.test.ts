import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createBuilder } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'curfew-bundle-'));

beforeAll(async () => {
  // Vitest's own value would make a development build, and in the folder of the product others
  // would find it.
  vi.stubEnv('NODE_ENV', 'production');
  const builder = await createBuilder({
    configFile: join(import.meta.dirname, '../../build/vite.config.ts'),
    logLevel: 'error',
  });
  const { renderer } = builder.environments;
  if (renderer === undefined) throw new Error('build/vite.config.ts has no environment "renderer"');
  renderer.config.build.outDir = folder;
  await builder.build(renderer);
  vi.unstubAllEnvs();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('what the popover loads before it is shown is at most 250 kB, gzipped', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const loaded = [...page.matchAll(/(?:src|href)="\/(?<path>[^"]+\.(?:js|css))"/gu)].map(
    ({ groups }) => groups?.['path'] ?? '',
  );
  expect(loaded.length).toBeGreaterThan(1);
  const bytes = loaded.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path))).length, 0);
  expect(bytes).toBeLessThanOrEqual(250_000);
});

test('no inline script, and nothing of the scene is in the product', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/u);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const suspicious = files.filter((name) => /home\/mara|sceneSnapshot/u.test(readFileSync(join(folder, name), 'utf8')));
  expect(suspicious).toEqual([]);
});
