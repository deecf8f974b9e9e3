import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asCalled, keepsNothing } from '../../../main/cli/common/keeps-nothing.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'curfew-once-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const places = (): { readonly state: string; readonly settings: string } => ({
  state: join(home, 'state'),
  settings: join(home, 'settings.json'),
});
const inNpx = '/home/me/.npm/_npx/0a1b2c3d4e5f6071/node_modules/curfew/build/out/cli/chunks/scan-1.js';

test.each([
  [inNpx, true],
  [
    String.raw`C:\Users\me\AppData\Local\npm-cache\_npx\0a1b2c3d4e5f6071\node_modules\curfew\build\out\cli\index.js`,
    true,
  ],
  ['/home/me/.cache/pnpm/dlx/cjwqpxfa2rn9/19a-1b2/node_modules/curfew/build/out/cli/index.js', true],
  ['/tmp/bunx-1000-curfew@latest/node_modules/curfew/build/out/cli/index.js', true],
  ['/usr/lib/node_modules/curfew/build/out/cli/index.js', false],
  ['/home/me/curfew/build/out/cli/index.js', false],
  ['/usr/lib/curfew/build/out/cli/index.js', false],
  ['/home/me/my_npx/curfew/build/out/cli/index.js', false],
])('%s was unpacked to be run once: %s', (file, once) => {
  expect(keepsNothing(file, places())).toBe(once);
});

test('where Curfew keeps something already, a look belongs to it', () => {
  mkdirSync(places().state);
  expect(keepsNothing(inNpx, places())).toBe(false);
});

test('the same where only its settings are', () => {
  writeFileSync(places().settings, '{}');
  expect(keepsNothing(inNpx, places())).toBe(false);
});

test('what to type next is what works where npx has unpacked the command', () => {
  const said = 'Next: `curfew scan --explain` says why · „curfew doctor“ · curfew 0.1.0 · `curfew`';
  const called = (runner: string) =>
    `Next: \`${runner} scan --explain\` says why · „${runner} doctor“ · curfew 0.1.0 · \`curfew\``;
  const file = 'node_modules/curfew/build/out/cli/chunks/start.js';
  expect(asCalled(said, `/home/me/.npm/_npx/0a1b2c3d/${file}`)).toBe(called('npx curfew'));
  expect(asCalled(said, `/home/me/.cache/pnpm/dlx-41/a1b2/${file}`)).toBe(called('pnpm dlx curfew'));
  expect(asCalled(said, `/usr/lib/${file}`)).toBe(said);
});
