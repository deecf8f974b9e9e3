import { spoken } from '../text/spoken.ts';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { autostartStatus, disableAutostart, enableAutostart } from '../../../main/autostart/autostart.ts';
import type { AutostartInput } from '../../../main/autostart/autostart-plan.ts';
import { desktopEntry } from '../../../main/autostart/desktop-entry.ts';
import { launchdPlan } from '../../../main/autostart/launchd.ts';
import { systemdPlan } from '../../../main/autostart/systemd.ts';

/** The stand-ins are shell scripts, found on the path, which Windows does not start. */
const noShell = process.platform === 'win32';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-autostart-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const machine = { platform: 'linux', systemd: true } as const;
/** A `systemctl` that behaves as told, in front of the real one. */
const input = (systemctl: string): AutostartInput => {
  const bin = join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$*" >>'${root}/calls'\n${systemctl}\n`);
  chmodSync(join(bin, 'systemctl'), 0o755);
  return {
    home: join(root, 'ho me'),
    environment: { PATH: `${bin}:/usr/bin:/bin`, SECRET: 'x' },
    uid: 501,
    program: [process.execPath, '/opt/cur few/$HOME/100%/curfew.js'],
    placesEnvironment: { CURFEW_HOME: '/srv/a "b" 5%' },
  };
};
const calls = (): readonly string[] => readFileSync(join(root, 'calls'), 'utf8').trim().split('\n');

describe('a timer of systemd', () => {
  test.skipIf(noShell)('is written, taken up, seen and taken away', () => {
    const all = input(`[ "$2" != is-enabled ] || [ -f '${root}/ho me/.config/systemd/user/curfew.timer' ]`);
    expect(autostartStatus(machine, all)).toMatchObject({ state: 'disabled', problem: null });
    expect(enableAutostart(machine, all)).toMatchObject({ state: 'enabled', problem: null });
    expect(calls()).toEqual(['--user daemon-reload', '--user enable --now curfew.timer']);
    expect(autostartStatus(machine, all)).toMatchObject({ state: 'enabled' });
    const { files } = disableAutostart(machine, all);
    expect(files).toHaveLength(2);
    expect(files.filter((file) => existsSync(file))).toEqual([]);
    expect(autostartStatus(machine, all)).toMatchObject({ state: 'disabled' });
  });

  test.skipIf(noShell)('says what systemd said when it refuses', () => {
    const result = enableAutostart(machine, input('echo "Failed to connect to bus: No medium found" >&2; exit 1'));
    expect(result.state).toBe('disabled');
    expect(spoken(result.problem)).toBe(
      '`systemctl --user daemon-reload` failed: Failed to connect to bus: No medium found',
    );
  });

  test.skipIf(noShell)('says so where there is no systemctl', () => {
    const none = { ...input(''), environment: { PATH: root } };
    expect(spoken(enableAutostart(machine, none).problem)).toContain('systemctl is not on this machine');
  });

  test.skipIf(noShell)('runs the pass every five minutes, with every path taken literally', () => {
    const plan = systemdPlan(input(''));
    const [service, timer] = plan.files.map(({ text }) => text);
    expect(service).toContain(
      `ExecStart="${process.execPath}" "/opt/cur few/$$HOME/100%%/curfew.js" "hook" "pass" "--max-age" "10m"\n`,
    );
    expect(service).toContain('Environment="CURFEW_HOME=/srv/a \\"b\\" 5%%"\n');
    expect(timer).toContain('OnUnitActiveSec=300\n');
  });

  test('begins no line of its own with a line break in a path', () => {
    const broken = '/srv/a\nExecStartPre=/bin/evil\r[Service]';
    const [service] = systemdPlan({ ...input(''), placesEnvironment: { CURFEW_HOME: broken } }).files;
    expect(service?.text).toContain(String.raw`Environment="CURFEW_HOME=/srv/a\nExecStartPre=/bin/evil\r[Service]"`);
    const entry = desktopEntry({ comment: '', program: ['/a\nb'], variables: { CURFEW_HOME: broken } });
    expect(entry).toContain(String.raw`Exec="env" "CURFEW_HOME=/srv/a\nExecStartPre=/bin/evil\r[Service]" "/a\nb"`);
    expect(entry).toContain(String.raw`TryExec=/a\nb`);
    expect(entry).not.toContain('\r');
  });

  const verify = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
  test.skipIf(verify.status !== 0)('is accepted by systemd-analyze verify', () => {
    for (const { path, text } of systemdPlan(input('')).files) {
      mkdirSync(join(root, 'units'), { recursive: true });
      writeFileSync(join(root, 'units', path.split('/').at(-1) ?? ''), text);
    }
    const units = ['curfew.service', 'curfew.timer'].map((name) => join(root, 'units', name));
    const result = spawnSync('systemd-analyze', ['verify', '--man=no', '--user', ...units], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: root, XDG_RUNTIME_DIR: root },
    });
    // Not what it says of others, such as a socket of gpg-agent whose path is too long here.
    const about = `${result.stdout}${result.stderr}`
      .split('\n')
      .filter((line) => /curfew\.(?:service|timer)/u.test(line));
    expect(about).toEqual([]);
    expect(result.error).toBeUndefined();
  });
});

test.skipIf(noShell)('a LaunchAgent names the program and what it needs to know, escaped', () => {
  const plan = launchdPlan({ ...input(''), program: ['/n', '/a & <b>/curfew.js'] });
  const [file] = plan.files;
  expect(file?.path).toBe(`${root}/ho me/Library/LaunchAgents/dev.curfew.pass.plist`);
  expect(file?.text).toContain('<string>/a &amp; &lt;b&gt;/curfew.js</string>\n    <string>hook</string>');
  expect(file?.text).toContain('<key>CURFEW_HOME</key>\n    <string>/srv/a &quot;b&quot; 5%</string>');
  expect(file?.text).toContain('<key>StartInterval</key>\n  <integer>300</integer>');
  expect(plan.enable.at(-1)?.command).toEqual(['launchctl', 'bootstrap', 'gui/501', file?.path]);
});

test.skipIf(noShell)('without systemd the way by cron is told, and asking for more is a problem', () => {
  const none = { platform: 'linux', systemd: false } as const;
  expect(autostartStatus(none, input(''))).toMatchObject({ state: 'unsupported', problem: null });
  const asked = enableAutostart(none, input(''));
  expect(spoken(asked.problem)).toContain('hook pass --max-age 10m');
  expect(existsSync(join(root, 'ho me'))).toBe(false);
});
