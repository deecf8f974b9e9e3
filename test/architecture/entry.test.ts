import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { project, withPlanted } from './planted.ts';

/** Starts the entry of the command beside `bundle`, under a Node that claims to be `version`. */
const start = (
  version: string,
  bundle: string,
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
  withPlanted({ 'package.json': '{ "type": "module" }', 'index.js': bundle }, (root) => {
    copyFileSync(join(project, 'build/bin/curfew.js'), join(root, 'curfew.js'));
    const claim = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    const preload = `data:text/javascript,${encodeURIComponent(claim)}`;
    return spawnSync(process.execPath, ['--import', preload, join(root, 'curfew.js')], { encoding: 'utf8' });
  });

test.each(['18.20.8', '20.20.2', '22.0.0', '22.12.0'])(
  'Node %s gets one clear line, and the bundle is not read',
  (version) => {
    const { status, stdout, stderr } = start(version, 'this is no JavaScript');
    expect(stderr).toContain(`curfew: needs Node 22.13 or newer, and ${process.execPath} is ${version}: `);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(status).toBe(3);
  },
);

test.each(['22.13.0', '24.21.0', '26.0.0', '100.0.0'])('Node %s starts the command', (version) => {
  const { status, stdout, stderr } = start(version, `process.stdout.write('started');`);
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'started', stderr: '' });
});

test('a bundle that fails to start is a failure of Curfew itself', () => {
  const { status, stderr } = start('24.21.0', `throw new Error('broken');`);
  expect(stderr).toContain('curfew: failed: Error: broken');
  expect(status).toBe(3);
});
