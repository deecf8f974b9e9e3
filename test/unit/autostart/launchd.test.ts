import { spoken } from '../text/spoken.ts';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AutostartInput } from '../../../main/autostart/autostart-plan.ts';
import { autostartStatus, disableAutostart, enableAutostart } from '../../../main/autostart/autostart.ts';
import { machineHere, type Machine } from '../../../main/autostart/plans.ts';

/** The stand-ins are shell scripts, found on the path, which Windows does not start. */
const noShell = process.platform === 'win32';

let home = '';
let input: AutostartInput;
const machine: Machine = { ...machineHere(), platform: 'darwin', systemd: false };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'curfew-launchd-'));
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(home, 'launchd'));
  copyFileSync(join(import.meta.dirname, 'launchctl.sh'), join(home, 'bin/launchctl'));
  input = {
    home,
    environment: { HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}` },
    uid: 501,
    program: ['/opt/bin/node', '/opt/curfew.js'],
    placesEnvironment: {},
  };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const is = (name: string, text = ''): void => writeFileSync(join(home, 'launchd', name), text);
const calls = (): readonly string[] => readFileSync(join(home, 'launchd/calls'), 'utf8').trim().split('\n');
const plist = (): string => readFileSync(join(home, 'Library/LaunchAgents/dev.curfew.pass.plist'), 'utf8');

test.skipIf(noShell)('at the screen it is loaded into gui, and taken away again', () => {
  expect(enableAutostart(machine, input)).toMatchObject({ state: 'enabled', problem: null });
  expect(calls()).toContain('enable gui/501/dev.curfew.pass');
  expect(plist()).not.toContain('LimitLoadToSessionType');
  expect(autostartStatus(machine, input).state).toBe('enabled');
  expect(disableAutostart(machine, input).state).toBe('disabled');
  expect(existsSync(join(home, 'launchd/loaded-gui'))).toBe(false);
  expect(autostartStatus(machine, input).state).toBe('disabled');
});

test.skipIf(noShell)('a job that launchd lets go of slowly is waited for', () => {
  enableAutostart(machine, input);
  is('slow', '3');
  expect(enableAutostart(machine, input)).toMatchObject({ state: 'enabled', problem: null });
  expect(calls().filter((call) => call === 'print gui/501/dev.curfew.pass').length).toBeGreaterThan(3);
});

test.skipIf(noShell)('a refusal with 5 is tried again', () => {
  is('leaving', '3');
  expect(enableAutostart(machine, input)).toMatchObject({ state: 'enabled', problem: null });
});

test.skipIf(noShell)('a job that was switched off is enabled first', () => {
  is('disabled');
  expect(enableAutostart(machine, input)).toMatchObject({ state: 'enabled', problem: null });
});

test.skipIf(noShell)('where there is only SSH it is loaded into user, also for sessions in the background', () => {
  is('no-gui');
  expect(enableAutostart(machine, input)).toMatchObject({ state: 'enabled', problem: null });
  expect(existsSync(join(home, 'launchd/loaded-user'))).toBe(true);
  expect(plist()).toContain('<string>Background</string>');
  expect(autostartStatus(machine, input).state).toBe('enabled');
  disableAutostart(machine, input);
  expect(existsSync(join(home, 'launchd/loaded-user'))).toBe(false);
});

test.skipIf(noShell)('a refusal that stays is told in the words of launchd', () => {
  is('never');
  const { state, problem } = enableAutostart(machine, { ...input, letGoMs: 1_000 });
  expect(state).toBe('disabled');
  expect(spoken(problem)).toContain('Input/output error');
  expect(calls().filter((call) => call.startsWith('bootstrap ')).length).toBeGreaterThan(1);
});
