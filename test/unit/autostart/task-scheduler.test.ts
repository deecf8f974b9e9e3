import { spoken } from '../text/spoken.ts';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { splitCommandLine } from '../../../main/os/windows/kernel/command-line.ts';
import type { AutostartInput } from '../../../main/autostart/autostart-plan.ts';
import { autostartStatus, disableAutostart, enableAutostart } from '../../../main/autostart/autostart.ts';
import type { Machine } from '../../../main/autostart/plans.ts';
import { environmentFile, taskSchedulerPlan } from '../../../main/autostart/task-scheduler.ts';

/** The stand-ins are shell scripts, found on the path, which Windows does not start. */
const noShell = process.platform === 'win32';

let home = '';
let input: AutostartInput;
const machine: Machine = { platform: 'win32', systemd: false };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'curfew-schtasks-'));
  mkdirSync(join(home, 'bin'));
  copyFileSync(join(import.meta.dirname, 'schtasks.sh'), join(home, 'bin/schtasks'));
  input = {
    home,
    environment: {
      HOME: home,
      PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
      USERNAME: 'Jörg & Söhne',
      USERDOMAIN: 'BÜRO',
    },
    uid: 0,
    program: [String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\Users\Jörg\cur few\curfew.js`],
    placesEnvironment: {},
  };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = (): string => join(home, 'AppData/Local/Curfew');

/** Returns the text of one element, as XML means it. */
const element = (xml: string, name: string): string =>
  (new RegExp(`<${name}>(?<text>[^<]*)</${name}>`, 'u').exec(xml)?.groups?.['text'] ?? '').replaceAll(
    /&#x([0-9A-F]+);/gu,
    (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)),
  );

const xmlOf = (of: AutostartInput): string => taskSchedulerPlan(of).files[0]?.text ?? '';

test.skipIf(noShell)('it is set up, found and taken away again, without a trace', () => {
  expect(autostartStatus(machine, input).state).toBe('disabled');
  expect(enableAutostart(machine, input)).toMatchObject({ state: 'enabled', kind: 'pass', problem: null });
  expect(existsSync(join(home, 'schtasks/Curfew pass of Jörg & Söhne'))).toBe(true);
  expect(autostartStatus(machine, input).state).toBe('enabled');
  expect(enableAutostart(machine, input).state).toBe('enabled');
  expect(disableAutostart(machine, input).state).toBe('disabled');
  expect(existsSync(join(home, 'schtasks/Curfew pass of Jörg & Söhne'))).toBe(false);
  expect(existsSync(join(folder(), 'autostart.xml'))).toBe(false);
  expect(autostartStatus(machine, input).state).toBe('disabled');
});

test.skipIf(noShell)('a task that was deleted elsewhere is missed', () => {
  enableAutostart(machine, input);
  rmSync(join(home, 'schtasks/Curfew pass of Jörg & Söhne'));
  expect(autostartStatus(machine, input)).toMatchObject({ state: 'disabled' });
  expect(spoken(autostartStatus(machine, input).text)).toContain('curfew autostart enable');
});

test.skipIf(noShell)('a refusal is told in the words of the system', () => {
  mkdirSync(join(home, 'schtasks'));
  writeFileSync(join(home, 'schtasks/denied'), '');
  expect(spoken(enableAutostart(machine, input).problem)).toContain('Access is denied.');
});

test('it starts Node without a window, with every word as it is', () => {
  const xml = xmlOf(input);
  expect(element(xml, 'Command')).toBe('conhost');
  expect(splitCommandLine(`conhost ${element(xml, 'Arguments')}`)).toEqual([
    'conhost',
    '--headless',
    ...input.program,
    'hook',
    'pass',
    '--max-age',
    '10m',
  ]);
  expect(xml).toMatch(/^[\n -~]+$/u);
});

test('it is the own task of the user, with the rights of the user, at login and every five minutes', () => {
  const xml = xmlOf(input);
  expect(element(xml, 'UserId')).toBe(String.raw`BÜRO\Jörg & Söhne`);
  expect(element(xml, 'RunLevel')).toBe('LeastPrivilege');
  expect(element(xml, 'LogonType')).toBe('InteractiveToken');
  expect(element(xml, 'Interval')).toBe('PT5M');
  expect(xml).toContain('<LogonTrigger>');
  expect(element(xml, 'Hidden')).toBe('true');
  expect(element(xml, 'StopIfGoingOnBatteries')).toBe('false');
  expect(xml).toContain('<RestartOnFailure>');
  expect(xml.match(/<UserId>/gu)).toHaveLength(2);
});

test('the programs of the system are taken from its own folder', () => {
  const { enable } = taskSchedulerPlan({
    ...input,
    environment: { ...input.environment, SystemRoot: String.raw`C:\Windows` },
  });
  expect(enable[0]?.command[0]).toBe(String.raw`C:\Windows\System32\schtasks.exe`);
});

test('Curfew finds its places where they were moved', () => {
  const moved = { CURFEW_HOME: String.raw`D:\it's "here"\curfew` };
  const plan = taskSchedulerPlan({ ...input, placesEnvironment: moved });
  const [, variables] = plan.files;
  expect(parseEnv(variables?.text ?? '')).toEqual(moved);
  expect(element(plan.files[0]?.text ?? '', 'Arguments')).toContain(`--env-file=${variables?.path ?? '-'}`);
});

test.each([String.raw`C:\plain`, `it's`, 'a "b"', '# no comment', 'a=b', '$HOME and ${HOME}', ' blank '])(
  'the value %j comes through a file of variables',
  (value) => {
    expect(parseEnv(environmentFile({ CURFEW_HOME: value }))).toEqual({ CURFEW_HOME: value });
  },
);

test('the name of a task has no sign that it may not have', () => {
  const plan = taskSchedulerPlan({ ...input, environment: { ...input.environment, USERNAME: 'a\\b:c%d%' } });
  expect(plan.check).toContain('Curfew pass of a_b_c_d_');
});
