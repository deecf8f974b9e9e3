import { expect, test } from 'vitest';
import type { NativeSource } from '../../../../main/os/windows/native/source.ts';
import { closeWindowsOf } from '../../../../main/os/windows/native/signaller.ts';
import { sourceOn, vetoesOn } from '../../../windows/asked.ts';
import { SimulatedWindows, type Simulated, type Start } from '../../../windows/simulated-windows.ts';

interface Machine {
  readonly kernel: SimulatedWindows;
  readonly source: NativeSource;
}

const machine = (): Machine => {
  const kernel = new SimulatedWindows();
  const curfew = kernel.start(kernel.explorer);
  const source = sourceOn(kernel, curfew);
  return { kernel, source };
};

const vetoesOf = ({ source }: Machine, process: Simulated): readonly string[] => vetoesOn(source, process) ?? ['gone'];

/** What an agent that has ended left. */
const left = ({ kernel }: Machine, more: Start = {}): Simulated =>
  kernel.start(null, { parent: 9_000, console: false, ...more });

test('nothing speaks for a plain leftover', () => {
  const one = machine();
  expect(vetoesOf(one, left(one))).toEqual([]);
});

test.each<[string, Start, readonly string[]]>([
  ['another user’s', { user: 1002 }, ['other-user', 'unread']],
  ['the system’s', { user: 0 }, ['other-user', 'unread']],
  ['of another login session', { session: 0 }, ['other-user', 'unread']],
  ['elevated', { elevated: true }, ['other-user', 'unread']],
  ['critical', { critical: true }, ['other-user', 'unread']],
  ['with a debugger', { debugged: true }, ['traced']],
  ['with closed memory', { closed: true }, ['keep-unknown', 'unread', 'window']],
  ['kept', { environment: ['CURFEW_KEEP=1', 'A=b'] }, ['keep-marker']],
  ['the host of a console', { image: 'conhost.exe', commandLine: 'conhost.exe' }, ['kernel-thread', 'terminal']],
  ['Windows Terminal', { image: 'WindowsTerminal.exe', commandLine: 'x' }, ['terminal']],
  ['by its real file', { image: 'Code.exe', commandLine: 'node.exe server.js' }, ['editor']],
])('%s: %o', (_what, more, codes) => {
  const one = machine();
  expect(vetoesOf(one, left(one, more))).toEqual(codes);
});

test('what Explorer and a service started', () => {
  const one = machine();
  const { kernel } = one;
  expect(vetoesOf(one, kernel.start(kernel.explorer))).toEqual(['desktop']);
  const [, services] = [...kernel.processes.values()];
  expect(vetoesOf(one, kernel.start(services ?? null))).toEqual(['service-manager']);
});

test.each([
  ['process 4', ['gone']],
  ['process 7', ['unread']],
  ['process 29', ['other-user']],
  ['critical', ['other-user']],
  ['process 61', ['other-user']],
  ['token', ['other-user']],
  ['memory', ['keep-unknown', 'unread', 'window']],
  ['windows', ['window']],
])('a kernel that does not answer %s protects', (name, codes) => {
  const one = machine();
  const process = left(one);
  one.source.scan(new Set());
  one.kernel.refused = new Set([name]);
  const found = ((): readonly string[] => {
    try {
      return vetoesOf(one, process);
    } catch {
      return ['gone'];
    }
  })();
  expect(found).toEqual(expect.arrayContaining(codes));
});

test('windows: shown ones protect, and no list at all does, but on a machine without a desktop', () => {
  const one = machine();
  const process = left(one);
  one.kernel.shown = [{ window: 7, pid: process.pid, visible: true, kind: 'Viewer' }];
  expect(vetoesOf(one, process)).toEqual(['window']);
  one.kernel.shown = [{ window: 7, pid: process.pid, visible: false, kind: 'Viewer' }];
  expect(vetoesOf(one, process)).toEqual([]);
  one.kernel.shown = [];
  expect(vetoesOf(one, process)).toEqual(['window']);
  one.kernel.end(one.kernel.explorer);
  expect(vetoesOf(one, process)).toEqual([]);
});

test('windows of the process itself are asked to close, and none of a console', () => {
  const one = machine();
  const [first, other] = [left(one), left(one)];
  one.kernel.shown = [
    { window: 1, pid: first.pid, visible: true, kind: 'ConsoleWindowClass' },
    { window: 2, pid: first.pid, visible: true, kind: 'PseudoConsoleWindow' },
    { window: 3, pid: first.pid, visible: true, kind: '' },
    { window: 4, pid: other.pid, visible: true, kind: 'Viewer' },
  ];
  expect(closeWindowsOf(one.kernel, first.pid)).toBe(false);
  expect(one.kernel.closed).toEqual([]);
  expect(closeWindowsOf(one.kernel, other.pid)).toBe(true);
  expect(one.kernel.closed).toEqual([4]);
  one.kernel.refused = new Set(['windows']);
  expect(closeWindowsOf(one.kernel, first.pid)).toBe(false);
});
