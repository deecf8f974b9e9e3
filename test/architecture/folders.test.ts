import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname, join as joined } from 'node:path/posix';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesIn, project, withPlanted } from './planted.ts';

/**
 * An alarm: a folder with more files than this has hardly one idea. The limit of 20 before it
 * shaped folders of one file.
 */
const maxFiles = 30;

interface Arrow {
  readonly from: string;
  readonly to: string;
  /** One import that makes the arrow, for the message of a failure. */
  readonly by: string;
}

const sourcesIn = (root: string): readonly string[] => filesIn(root, '{app,main,renderer}/**/*.{ts,tsx}');

/**
 * Returns the arrows between the folders below `root`: one for each pair, sub-folders and parents
 * included.
 */
const arrowsBetweenFolders = (root: string): readonly Arrow[] => {
  const arrows = new Map<string, Arrow>();
  for (const file of sourcesIn(root)) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'), true, true);
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const target = joined(dirname(file), fileName);
      const [from, to] = [dirname(file), dirname(target)];
      if (from !== to && /^(?:app|main|renderer)(?:\/|$)/u.test(to))
        arrows.set(`${from} ${to}`, { from, to, by: `${file} imports ${target}` });
    }
  }
  return [...arrows.values()];
};

/**
 * Returns the circles of folders that import each other, directly or indirectly. Each is named
 * once, by one of its imports.
 */
const circlesOf = (arrows: readonly Arrow[]): readonly string[] => {
  const out = Map.groupBy(arrows, ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (folder: string, path: readonly string[]): void => {
    if (done.has(folder)) return;
    for (const { to, by } of out.get(folder) ?? []) {
      const at = path.indexOf(to);
      if (at >= 0) found.push(`${[...path.slice(at), to].join(' -> ')} (${by})`);
      else walk(to, [...path, to]);
    }
    done.add(folder);
  };
  for (const folder of [...out.keys()].toSorted()) walk(folder, [folder]);
  return found;
};

test('folders import each other one way only', () => {
  const arrows = arrowsBetweenFolders(project);
  expect(arrows.length).toBeGreaterThan(100);
  expect(circlesOf(arrows)).toEqual([]);
});

test('folders that import each other are found, a parent and its child too', () => {
  const planted = {
    'app/one/a.ts': `export { b } from '../two/b.ts';\n`,
    'app/two/b.ts': `export const b = 1;\nexport type { Deep } from '../two/deep/c.ts';\n`,
    'app/two/deep/c.ts': `import type { d } from '../../one/d.ts';\nexport type Deep = typeof d;\n`,
    'app/one/d.ts': `export const d = 1;\n`,
    'main/x.ts': `export { y } from './sub/y.ts';\n`,
    'main/sub/y.ts': `export { z as y } from '../z.ts';\n`,
    'main/z.ts': `export const z = 1;\n`,
  };
  const circles = withPlanted(planted, (root) => circlesOf(arrowsBetweenFolders(root)));
  expect(circles.map((circle) => circle.replace(/ \(.*$/u, '')).toSorted()).toEqual([
    'app/one -> app/two -> app/two/deep -> app/one',
    'main -> main/sub -> main',
  ]);
});

const systems = /^main\/os\/(?:linux|darwin|windows)(?:\/|$)/u;

const namesSystem = (root: string): readonly string[] =>
  arrowsBetweenFolders(root).flatMap(({ from, to, by }) =>
    systems.test(to) && !/^main\/os(?:\/|$)/u.test(from) ? [by] : [],
  );

test('no folder outside main/os names a system', () => {
  expect(namesSystem(project)).toEqual([]);
});

test('an import that names a system is found', () => {
  const planted = {
    'main/os/linux/proc/a.ts': `export const a = 1;\n`,
    'main/os/b.ts': `export { a } from './linux/proc/a.ts';\n`,
    'main/run/c.ts': `export { a } from '../os/linux/proc/a.ts';\n`,
  };
  expect(withPlanted(planted, namesSystem)).toEqual(['main/run/c.ts imports main/os/linux/proc/a.ts']);
});

/** The files outside main/os that ask on which system they run. */
const asksSystem = (root: string): readonly string[] =>
  sourcesIn(root).filter(
    (file) => !file.startsWith('main/os/') && /\bprocess\.platform\b/u.test(readFileSync(join(root, file), 'utf8')),
  );

test('only main/os asks on which system it runs', () => {
  expect(asksSystem(project)).toEqual([]);
});

test('a file that asks on which system it runs is found', () => {
  const asks = `export const here = process.platform;\n`;
  expect(withPlanted({ 'main/os/a.ts': asks, 'main/run/b.ts': asks }, asksSystem)).toEqual(['main/run/b.ts']);
});

test(`no folder has more than ${maxFiles} source files of its own`, () => {
  const shipped = filesIn(project, '{app,main,renderer}/**/*.{ts,tsx,css,sh}');
  const byFolder = Map.groupBy(shipped, (file) => dirname(file));
  expect(byFolder.size).toBeGreaterThan(30);
  const full = [...byFolder].filter(([, files]) => files.length > maxFiles);
  expect(full.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([]);
});
