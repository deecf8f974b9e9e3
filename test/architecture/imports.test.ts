import { expect, test } from 'vitest';
import { cruise } from '../../build/scripts/cruise.ts';
import { givesPackages, project, withPlanted } from './planted.ts';

test('the rules see every file and its imports, and the project keeps them', () => {
  const { files, unseen, imports, breaches } = cruise(project);
  expect(files.length).toBeGreaterThan(50);
  expect(imports).toBeGreaterThan(files.length);
  expect(unseen).toEqual([]);
  expect(breaches).toEqual([]);
});

test.skipIf(!givesPackages)('every planted breach is found', () => {
  const value = 'export const value = 1;\n';
  const planted = {
    'package.json': JSON.stringify({ dependencies: { commander: '1', koffi: '1' } }),
    'app/value.ts': value,
    'app/reads-files.ts': `export { readFileSync } from 'node:fs';\n`,
    'app/knows-main.ts': `export type { Value } from '../main/value.ts';\n`,
    'app/knows-a-package.ts': `export { Command } from 'commander';\n`,
    'app/leads-nowhere.ts': `export { value } from './missing.ts';\n`,
    'app/circle-a.ts': `export { b } from './circle-b.ts';\nexport const a = 1;\n`,
    'app/circle-b.ts': `export { a } from './circle-a.ts';\nexport const b = 1;\n`,
    'main/value.ts': `export type Value = number;\n${value}`,
    'main/store/starts-processes.ts': `export { spawn } from 'node:child_process';\n`,
    'main/store/calls-the-kernel.ts': `export { default } from 'koffi';\n`,
    'main/cli/knows-a-test.ts': `export { value } from '../../test/value.ts';\n`,
    'main/cli/knows-the-window.ts': `export { value } from '../shell/value.ts';\n`,
    'main/shell/value.ts': value,
    'main/os/reads-slowly.ts': `export { readFile } from 'node:fs/promises';\n`,
    'renderer/knows-main.ts': `export { value } from '../main/value.ts';\n`,
    'test/value.ts': value,
  };
  const { unseen, breaches } = withPlanted(planted, cruise);
  expect(unseen).toEqual([]);
  const found = [...new Set(breaches.map(({ rule, from }) => `${from}: ${rule}`))].toSorted();
  expect(found).toEqual([
    'app/circle-a.ts: no-circles',
    'app/knows-a-package.ts: app-imports-only-app',
    'app/knows-main.ts: app-imports-only-app',
    'app/leads-nowhere.ts: app-imports-only-app',
    'app/leads-nowhere.ts: no-unresolved',
    'app/reads-files.ts: app-imports-only-app',
    'main/cli/knows-a-test.ts: main-imports-only-app-and-main',
    'main/cli/knows-the-window.ts: window-system-only-from-shell',
    'main/os/reads-slowly.ts: no-asynchronous-files-in-the-scan-path',
    'main/store/calls-the-kernel.ts: processes-only-from-os',
    'main/store/starts-processes.ts: processes-only-from-os',
    'renderer/knows-main.ts: renderer-imports-only-app',
  ]);
});
