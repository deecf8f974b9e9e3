import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toolElsewhere } from '../../build/scripts/tool.ts';
import { filesIn, project, slashed, withPlanted } from './planted.ts';
import { importsFromElsewhere, undocumentedFunctions } from './undocumented.ts';

test('no top-level folder besides app, main, renderer, test, build and docs', () => {
  const folders = readdirSync(project, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map((entry) => entry.name);
  expect(folders).toContain('app');
  expect(folders.filter((folder) => !['app', 'main', 'renderer', 'test', 'build', 'docs'].includes(folder))).toEqual(
    [],
  );
});

test('app has no package.json, which electron-builder would take for the application', () => {
  expect(existsSync(join(project, 'app'))).toBe(true);
  expect(existsSync(join(project, 'app/package.json'))).toBe(false);
});

test('the compiler refuses Node, DOM and syntax that does not erase in app', () => {
  const base = readFileSync(join(project, 'tsconfig.base.json'), 'utf8');
  const app = readFileSync(join(project, 'app/tsconfig.json'), 'utf8');
  const planted = {
    'package.json': '{ "type": "module" }',
    'tsconfig.base.json': base,
    'app/tsconfig.json': app,
    'app/node.ts': 'export const node = process.pid;\n',
    'app/dom.ts': 'export const dom = document.title;\n',
    'app/timer.ts': 'export const timer = setTimeout(() => 1, 1);\n',
    'app/syntax.ts': 'export enum Colour {\n  Red,\n}\n',
    'app/index.ts': 'export const first = (list: readonly string[]): string => list[0];\n',
    'app/pure.ts': 'export const pure = (list: readonly string[]): number => list.length;\n',
  };
  const [compiler, ...words] = toolElsewhere('tsc');
  const output = withPlanted(planted, (root) =>
    spawnSync(compiler, [...words, '-p', 'app'], { cwd: root, encoding: 'utf8' }),
  ).stdout;
  const refused = [...output.matchAll(/^app\/(\w+)\.ts\(/gm)].map((match) => String(match[1]));
  expect([...new Set(refused)].toSorted()).toEqual(['dom', 'index', 'node', 'syntax', 'timer']);
});

test('every function that another folder imports says what it promises', () => {
  const read = (file: string): string => readFileSync(join(project, file), 'utf8');
  const files = filesIn(project, ['{app,main}/**/*.ts', 'build/scripts/*.ts']).map(slashed);
  expect(files.length).toBeGreaterThan(30);
  const asked = new Set(files.flatMap((file) => importsFromElsewhere(file, read(file))));
  expect(asked.size).toBeGreaterThan(300);
  const silent = files.flatMap((file) => undocumentedFunctions(read(file)).map((name) => `${file}: ${name}`));
  expect(silent.filter((name) => asked.has(name))).toEqual([]);
});

test('what comes from another folder is told from what comes from the same, in each way of writing it', () => {
  const source = `
    import { near } from './near.ts';
    import { type Kind, far as distant } from '../b/far.ts';
    export { passed } from '../c/passed.ts';
  `;
  expect(importsFromElsewhere('main/a/file.ts', source)).toEqual(['main/b/far.ts: far', 'main/c/passed.ts: passed']);
});

test('a function without a docstring is noticed in each way of writing it', () => {
  const source = `
    /** Promises. */
    export const said = (): number => 1;
    export const arrow = (): number => 1;
    export const expression = function (): number { return 1; };
    export function declaration(): number { return 1; }
    const inner = (): number => 1;
    export const value = inner();
  `;
  expect(undocumentedFunctions(source)).toEqual(['arrow', 'expression', 'declaration']);
});
