import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const { arch, platform } = process;
const isMeant = platform === 'linux' && ['x64', 'arm64'].includes(arch);

/** Loads koffi from an installation of its own, as a program does. */
const loads = (bytes: number | null): unknown => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-koffi-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const modules = join(dirname(createRequire(import.meta.url).resolve('koffi')), '..');
  const parts = ['koffi/package.json', 'koffi/index.cjs', `@koromix/koffi-linux-${arch}`];
  for (const part of parts) cpSync(join(modules, part), join(folder, 'node_modules', part), { recursive: true });
  cpSync(join(import.meta.dirname, '../../../main/os/native/koffi.ts'), join(folder, 'koffi.ts'));
  const binary = join(folder, 'node_modules', `@koromix/koffi-linux-${arch}`, `linux_${arch}/koffi.node`);
  if (bytes !== null) truncateSync(binary, readFileSync(binary).length - bytes);
  const script = `console.log(JSON.stringify((await import('${join(folder, 'koffi.ts')}')).loadKoffi().reason ?? null))`;
  const { stdout, signal } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script]);
  return signal ?? JSON.parse(stdout.toString('utf8'));
};

test.skipIf(!isMeant)('a binary of koffi’s that is cut short is not loaded, which would end the program', () => {
  expect(loads(null)).toBe(null);
  for (const bytes of [1, 500_000, 1_140_000]) expect(loads(bytes)).toMatch(/koffi\.node is cut short$/u);
});
