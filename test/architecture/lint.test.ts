import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolElsewhere } from '../../build/scripts/tool.ts';
import { givesPackages, project, slashed, withPlanted } from './planted.ts';

const Report = z.object({
  diagnostics: z.array(
    z.object({ code: z.string(), filename: z.string(), message: z.string(), help: z.string().optional() }),
  ),
});

const tsconfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    types: ['node'],
    target: 'es2024',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    noEmit: true,
  },
});

/** Returns `path: rule` for each finding of the project's own lint configuration in `files`. */
const findings = (files: Readonly<Record<string, string>>): string[] =>
  withPlanted({ ...files, 'tsconfig.json': tsconfig }, (root) => {
    copyFileSync(join(project, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
    const [linter, ...words] = toolElsewhere('oxlint');
    const { stdout } = spawnSync(linter, [...words, '--format', 'json'], { cwd: root, encoding: 'utf8' });
    const { diagnostics } = Report.parse(JSON.parse(stdout));
    return diagnostics.map(({ code, filename }) => `${slashed(filename)}: ${code}`).toSorted();
  });

const imports = 'eslint(no-restricted-imports)';
const properties = 'eslint(no-restricted-properties)';

const breaches: readonly (readonly [path: string, text: string, rule: string])[] = [
  ['app/reads-files.ts', `export { readFileSync } from 'node:fs';\n`, imports],
  ['app/knows-a-package.ts', `export { Command } from 'commander';\n`, imports],
  ['app/knows-main.ts', `export { value } from '../main/value.ts';\n`, imports],
  ['app/deep/knows-main.ts', `export { value } from '../../main/value.ts';\n`, imports],
  ['app/has-a-clock.ts', `export const now = (): number => Date.now();\n`, properties],
  [
    'main/supervisor/signals.ts',
    `export const end = (pid: number): boolean => process.kill(pid, 'SIGTERM');\n`,
    properties,
  ],
  ['main/supervisor/signals-by-name.ts', `export { kill } from 'node:process';\n`, imports],
  ['main/supervisor/starts.ts', `export { spawn } from 'node:child_process';\n`, imports],
  ['main/supervisor/calls-the-kernel.ts', `export { default as koffi } from 'koffi';\n`, imports],
  ['main/supervisor/knows-electron.ts', `export { app } from 'electron';\n`, imports],
  ['main/os/reads-slowly.ts', `export { readFile } from 'node:fs/promises';\n`, imports],
  ['main/os/reads-later.ts', `export { readFile } from 'node:fs';\n`, imports],
  ['renderer/knows-node.ts', `export { readFileSync } from 'node:fs';\n`, imports],
  ['renderer/knows-main.ts', `export { value } from '../main/value.ts';\n`, imports],
  ['main/any.ts', `export const lose = (value: any): void => void value;\n`, 'typescript(no-explicit-any)'],
  [
    'main/floats.ts',
    `export const start = (): void => {\n  Promise.resolve(1);\n};\n`,
    'typescript(no-floating-promises)',
  ],
  [
    'main/sure.ts',
    `export const first = (list: string[]): string => list.at(0)!;\n`,
    'typescript(no-non-null-assertion)',
  ],
  [
    'main/swallows.ts',
    `export const tryIt = (act: () => void): void => {\n  try {\n    act();\n  } catch {}\n};\n`,
    'eslint(no-empty)',
  ],
  ['main/CamelCase.ts', `export const value = 1;\n`, 'unicorn(filename-case)'],
  ['main/long.ts', `export const value = [\n${'  1,\n'.repeat(410)}];\n`, 'eslint(max-lines)'],
];

const found = givesPackages ? findings(Object.fromEntries(breaches.map(([path, text]) => [path, text]))) : [];

test.skipIf(!givesPackages).each(breaches)('lint finds what is wrong with %s', (path, _text, rule) => {
  expect(found.filter((finding) => finding.startsWith(`${path}: `))).toEqual([`${path}: ${rule}`]);
});

test.skipIf(!givesPackages)('lint lets through what the layers allow', () => {
  const allowed = {
    'app/value.ts': `import { z } from 'zod';\n\nexport const schema = z.string();\n`,
    'app/deep/uses-a-neighbour.ts': `export { schema } from '../value.ts';\n`,
    'main/os/signals.ts': `export const end = (pid: number): boolean => process.kill(pid, 'SIGTERM');\n`,
    'main/os/starts.ts': `export { spawn } from 'node:child_process';\nexport { readFileSync } from 'node:fs';\n`,
    'main/store/reads.ts': `export { readFile } from 'node:fs/promises';\nexport { schema } from '../../app/value.ts';\n`,
  };
  expect(findings(allowed)).toEqual([]);
});
