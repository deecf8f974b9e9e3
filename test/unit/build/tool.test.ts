import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tool, type ToolPlace } from '../../../build/scripts/tool.ts';

const root = join(import.meta.dirname, '../../..');
const windows: ToolPlace = { platform: 'win32', root, node: process.execPath, npm: '/opt/npm/npm-cli.js' };

describe('a tool of the project', () => {
  test('is its name where names on the path are programs', () => {
    for (const name of ['vitest', 'node', 'npm']) expect(tool(name, { ...windows, platform: 'linux' })).toEqual([name]);
  });

  test.each(['depcruise', 'knip', 'oxfmt', 'oxlint', 'tsc', 'vite', 'vitest'])(
    '%s is a script that Node starts on Windows',
    (name) => {
      const [node, script = '', ...rest] = tool(name, windows);
      expect([node, rest]).toEqual([process.execPath, []]);
      expect(existsSync(script)).toBe(true);
      expect(readFileSync(script, 'utf8')).toMatch(/^#!\/usr\/bin\/env node/u);
    },
  );

  test('answers when it is started so', () => {
    const [node, ...args] = tool('depcruise', windows);
    expect(spawnSync(node, [...args, '--version'], { encoding: 'utf8' }).stdout).toMatch(/\d+\.\d+/u);
  });

  test('is npm as npm names itself, else beside Node', () => {
    expect(tool('npm', windows)).toEqual([process.execPath, '/opt/npm/npm-cli.js']);
    expect(tool('npm', { ...windows, npm: undefined })[1]).toContain('npm-cli.js');
    expect(tool('node', windows)).toEqual([process.execPath]);
  });

  test('is refused where it is not known', () => {
    expect(() => tool('rm', windows)).toThrow('not known');
  });
});

/** What runs on Windows: the scripts, and the tests that need no pid namespace. */
const runsOnWindows = ['build/{scripts,package,release}/*.ts', 'test/{architecture,unit,property,ui,package}/**/*.ts'];

/** They ask for a shell there, or run on Linux only. */
const excused = [
  'build/scripts/start.ts',
  'build/scripts/windows-copy.ts',
  'build/scripts/wine.ts',
  'test/architecture/break-causes.ts',
  'test/package/deb.test.ts',
];

test('nothing starts by its bare name what is a batch file on Windows', () => {
  const names = ['tsc', 'vitest', 'vite', 'oxlint', 'oxfmt', 'knip', 'depcruise', 'npm', 'npx', 'node'].join('|');
  const bare = new RegExp(String.raw`\b(?:spawn|exec|execFile)(?:Sync)?\(\s*'(?:${names})[' ]`, 'u');
  const files = globSync(runsOnWindows, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  expect(files.length).toBeGreaterThan(400);
  expect(files.filter((file) => bare.test(readFileSync(join(root, file), 'utf8'))).toSorted()).toEqual(excused);
});
