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

test('no script starts by its bare name what is a batch file on Windows', () => {
  const files = globSync('build/{scripts,package}/*.ts', { cwd: root });
  const bare = files.filter((file) =>
    /spawn(?:Sync)?\(\s*'(?:tsc|vitest|vite|oxlint|oxfmt|knip|depcruise|npm|npx|node)'/u.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  );
  expect(files.length).toBeGreaterThan(20);
  // It asks for a shell there.
  expect(bare.map((file) => file.replaceAll('\\', '/'))).toEqual(['build/scripts/start.ts']);
});
