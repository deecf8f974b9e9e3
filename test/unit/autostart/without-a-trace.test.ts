import { spoken } from '../text/spoken.ts';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AutostartInput } from '../../../main/autostart/autostart-plan.ts';
import { autostartStatus, disableAutostart, enableAutostart } from '../../../main/autostart/autostart.ts';
import { appEntryFile, desktopEntry } from '../../../main/autostart/desktop-entry.ts';
import { systemdPlan } from '../../../main/autostart/systemd.ts';
import { xdgPlan } from '../../../main/autostart/plans.ts';

/** The stand-ins are shell scripts, found on the path, which Windows does not start. */
const noShell = process.platform === 'win32';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'curfew-trace-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const systemd = { platform: 'linux', systemd: true } as const;
const withoutSystemd = { platform: 'linux', systemd: false } as const;

/** Returns a user's folder, and a `systemctl` that behaves as given. */
const input = (systemctl = 'exit 1', environment: Readonly<Record<string, string>> = {}): AutostartInput => {
  const bin = join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\n${systemctl}\n`);
  chmodSync(join(bin, 'systemctl'), 0o755);
  return {
    home: join(root, 'home'),
    environment: { PATH: `${bin}:/usr/bin:/bin`, ...environment },
    uid: 501,
    program: [process.execPath, '/opt/cur few/100%/curfew.js'],
    placesEnvironment: {},
  };
};

const left = (): readonly string[] =>
  existsSync(join(root, 'home'))
    ? readdirSync(join(root, 'home'), { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map(({ name }) => name)
    : [];

const put = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

const startApp = (of: AutostartInput): string => {
  const path = appEntryFile(of);
  put(path, desktopEntry({ comment: 'x', program: ['/opt/Curfew/curfew-app'], variables: {} }));
  return path;
};

describe('a desktop without systemd', () => {
  const desktop = { XDG_CURRENT_DESKTOP: 'XFCE' };

  test.skipIf(noShell)('starts the supervisor at login, and not any more', () => {
    const all = input('exit 1', desktop);
    expect(autostartStatus(withoutSystemd, all)).toMatchObject({ state: 'disabled', problem: null });
    expect(enableAutostart(withoutSystemd, all)).toMatchObject({
      state: 'enabled',
      kind: 'supervisor',
      problem: null,
      files: [join(root, 'home/.config/autostart/dev.curfew.watch.desktop')],
    });
    expect(autostartStatus(withoutSystemd, all)).toMatchObject({ state: 'enabled', problem: null });
    // As over SSH, without a desktop.
    expect(autostartStatus(withoutSystemd, input())).toMatchObject({ state: 'enabled' });
    disableAutostart(withoutSystemd, all);
    expect(left()).toEqual([]);
    expect(autostartStatus(withoutSystemd, all)).toMatchObject({ state: 'disabled' });
  });

  test.skipIf(noShell)('that starts the tray app already gets no second supervisor', () => {
    const all = input('exit 1', desktop);
    const app = startApp(all);
    expect(spoken(enableAutostart(withoutSystemd, all).problem)).toContain(app);
    expect(left()).toEqual(['dev.curfew.Curfew.desktop']);
    // Disabled in the desktop's own list, it starts nothing.
    writeFileSync(app, `${readFileSync(app, 'utf8')}Hidden=true\n`);
    expect(enableAutostart(withoutSystemd, all)).toMatchObject({ state: 'enabled', problem: null });
  });

  const validator = spawnSync('desktop-file-validate', ['--help']);
  test.skipIf(validator.status !== 0)('gets an entry that desktop-file-validate accepts', () => {
    for (const { path, text } of xdgPlan(input()).files) {
      put(path, text);
      const { stdout, status } = spawnSync('desktop-file-validate', [path], { encoding: 'utf8' });
      expect(stdout).toBe('');
      expect(status).toBe(0);
    }
  });
});

test.skipIf(noShell)(
  'a timer that a package of the system brought and the user enabled is reported, and disabled with the rest',
  () => {
    const all = input(`[ "$2" = is-enabled ] && exec test -e '${join(root, 'enabled')}'; exit 0`);
    expect(autostartStatus(systemd, all)).toMatchObject({ state: 'disabled' });
    writeFileSync(join(root, 'enabled'), '');
    const [link = ''] = systemdPlan(all).links;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync('/usr/lib/systemd/user/curfew.timer', link);
    expect(autostartStatus(systemd, all)).toMatchObject({ state: 'enabled', kind: 'pass', files: [], problem: null });
    rmSync(join(root, 'enabled'));
    expect(disableAutostart(systemd, all)).toMatchObject({ state: 'disabled', files: [link] });
    expect(left()).toEqual([]);
  },
);

test.skipIf(noShell)('the tray app’s own entry is reported, and is removed with the rest', () => {
  const all = input('[ "$2" = is-enabled ] && exit 1; exit 0');
  const app = startApp(all);
  expect(spoken(autostartStatus(systemd, all).text)).toContain(`The tray app starts at login (${app}).`);
  const gone = disableAutostart(systemd, all);
  expect(gone).toMatchObject({ state: 'disabled', files: [app], problem: null });
  expect(left()).toEqual([]);
  expect(autostartStatus(systemd, all).text).not.toContain('tray app');
});

test.skipIf(noShell).each([
  ['systemd can’t be asked (no session, as under sudo)', systemd],
  ['the machine is not started by systemd any more', withoutSystemd],
] as const)('nothing is left lying although %s', (_name, machine) => {
  const all = input('echo "Failed to connect to bus: No medium found" >&2; exit 1');
  for (const { path, text } of [...systemdPlan(all).files, ...xdgPlan(all).files]) put(path, text);
  startApp(all);
  for (const link of systemdPlan(all).links) {
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync('../curfew.timer', link);
  }
  expect(left()).toHaveLength(5);
  expect(disableAutostart(machine, all).files).toHaveLength(5);
  expect(left()).toEqual([]);
  expect(spoken(disableAutostart(machine, all))).toMatchObject({
    text: 'Nothing was set up.',
    files: [],
    problem: null,
  });
});
