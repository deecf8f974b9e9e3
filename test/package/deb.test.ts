import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDeb, type DebOrder } from '../../build/release/deb/build-deb.ts';
import { releaseIn } from '../../build/release/description.ts';

// The Debian package, read back; a text stands in for Node, which is large. `npm run test:deb`
// installs, upgrades and purges the whole one.
const root = join(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'curfew-deb-'));
const processor = process.arch === 'arm64' ? 'arm64' : 'x64';
const order: DebOrder = {
  root,
  release: releaseIn(root),
  processor,
  epoch: 1_790_000_000,
  node: 'LICENSE',
  nodeLicence: 'LICENSE',
  output: work,
  compression: 'none',
};
let deb = '';

describe.runIf(process.platform === 'linux')('the Debian package', () => {
  beforeAll(() => {
    // Where the tests of npm's package have not made it yet.
    if (!existsSync(join(root, 'build/out/share/curfew.cdx.json')))
      execFileSync('npm', ['run', '--silent', 'prepack'], { cwd: root });
    deb = buildDeb(order);
  });

  afterAll(() => rmSync(work, { recursive: true, force: true }));

  const read = (...args: readonly string[]): string => execFileSync('dpkg-deb', [...args, deb], { encoding: 'utf8' });

  test('belongs to root, is all below /usr, and no user but root can write it', () => {
    const lines = read('--contents').trim().split('\n');
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines)
      expect(line).toMatch(/^(?:drwxr-xr-x|-rw[x-]r-[x-]r-[x-]) root\/root .* \.\/(?:usr\/.*)?$/u);
  });

  test('has no configuration, and scripts for the service of the machine alone', () => {
    const control = join(work, 'control');
    execFileSync('dpkg-deb', ['--control', deb, control]);
    expect(readdirSync(control).toSorted()).toEqual(['control', 'postinst', 'postrm', 'prerm']);
    for (const name of ['postinst', 'postrm', 'prerm']) {
      const text = readFileSync(join(control, name), 'utf8').replaceAll(/^ *# .*\n/gmu, '');
      expect(text).toMatch(/^#!\/bin\/sh\nset -e\n/u);
      expect(spawnSync('sh', ['-n', join(control, name)]).status).toBe(0);
      // No unit is enabled or started that was not before.
      expect(text).not.toMatch(/systemctl (?:--system )?(?:enable|start)|invoke start/u);
    }
  });

  test('has a service that systemd understands, with few rights', () => {
    const tree = join(work, 'service');
    execFileSync('dpkg-deb', ['--extract', deb, tree]);
    const unit = join(tree, 'usr/lib/systemd/system/curfew.service');
    const text = readFileSync(unit, 'utf8');
    expect(text).toContain('\nExecStart=/usr/bin/curfew watch --all-users\n');
    expect(text).toContain('\nCapabilityBoundingSet=CAP_SETUID CAP_SETGID\n');
    // Children run in its control group: none of them may speak for the service.
    expect(text).toContain('\nType=notify\nNotifyAccess=main\nWatchdogSec=');
    if (spawnSync('systemd-analyze', ['--version']).error !== undefined) return;
    // The units of a system that it names, so that there is nothing to say but of this one.
    for (const name of ['sysinit', 'basic', 'shutdown', 'multi-user'])
      writeFileSync(join(tree, `usr/lib/systemd/system/${name}.target`), `[Unit]\nDescription=${name}\n`);
    const verify = (): string => {
      const words = [`--root=${tree}`, '--man=no', 'verify', 'curfew.service'];
      const { stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
      return stdout + stderr;
    };
    expect(verify()).toBe('');
    const score = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=33', unit], {
      encoding: 'utf8',
    });
    // 3.3 of 10; a unit without any of it has 9.6.
    expect({ status: score.status, said: score.stdout }).toMatchObject({ status: 0 });
    writeFileSync(unit, text.replace('KillMode', 'KillMod'));
    expect(verify()).toContain("Unknown key 'KillMod'");
  });

  test('names itself', () => {
    expect(read('--field').split('\n').slice(0, 2)).toEqual(['Package: curfew', `Version: ${order.release.version}-1`]);
  });

  test('holds a command line that loads from there', () => {
    const tree = join(work, 'tree');
    execFileSync('dpkg-deb', ['--extract', deb, tree]);
    const command = join(tree, 'usr/lib/curfew/build/out/cli/curfew.js');
    const { PATH = '' } = process.env;
    const { stdout, stderr } = spawnSync(process.execPath, [command, 'scan', '--json'], {
      env: { PATH, HOME: work, CURFEW_HOME: join(work, 'home') },
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, host: 'local' });
  });

  test('is the same bytes when it is built again', () => {
    const again = buildDeb({ ...order, output: join(work, 'again') });
    expect(spawnSync('cmp', [deb, again]).status).toBe(0);
  });
});
