import { expect, test } from 'vitest';
import { failedParts, passes, type ReaderCheck } from '../../../../app/process/reader-check.ts';
import type { WindowsKernel } from '../../../../main/os/windows/kernel/kernel.ts';
import { openWindowsMachine } from '../../../../main/os/windows/open-machine.ts';
import { checkedWindows as windows, type CheckedWindows } from '../../../windows/checked-windows.ts';
import type { Simulated, SimulatedWindows } from '../../../windows/simulated-windows.ts';

const failed = (check: ReaderCheck): readonly string[] => failedParts(check).map(({ part }) => part);

test('the self-check reproduces every fact', () => {
  const found = windows().checkNow();
  expect(failedParts(found)).toEqual([]);
  expect(passes(found)).toBe(true);
});

/** Replaces one call of the kernel. */
const broken = <Name extends keyof WindowsKernel>(
  kernel: SimulatedWindows,
  name: Name,
  how: (call: WindowsKernel[Name]) => WindowsKernel[Name],
): void => {
  const call = kernel[name].bind(kernel) as WindowsKernel[Name];
  Object.defineProperty(kernel, name, { value: how(call) });
};

test('memory that reads wrongly fails what depends on it', () => {
  const { kernel, checkNow } = windows();
  broken(kernel, 'memory', () => () => null);
  expect(failed(checkNow())).toEqual(['name', 'terminal', 'arguments', 'environment', 'files', 'connections']);
});

test('a process that outlives its end fails the signal', () => {
  const { kernel, checkNow } = windows();
  broken(kernel, 'terminate', () => () => 0);
  expect(failed(checkNow())).toEqual(['signal']);
});

test('an end that is refused fails the signal', () => {
  const { kernel, checkNow } = windows();
  broken(kernel, 'terminate', () => () => 0xc0000022);
  expect(failed(checkNow())).toEqual(['signal']);
});

test('creation times that are rounded fail the identity', () => {
  const { kernel, checkNow } = windows();
  broken(kernel, 'process', (call) => (handle, informationClass, size) => {
    const answer = call(handle, informationClass, size);
    if (informationClass === 4) answer.bytes.writeBigUInt64LE(answer.bytes.readBigUInt64LE(0) + 3n, 0);
    return answer;
  });
  expect(failed(checkNow())).toContain('identity');
});

const open = (kernel: SimulatedWindows, check: CheckedWindows['check'], curfew: Simulated) =>
  openWindowsMachine({ environmentNames: ['CURFEW_KEEP'], uid: 0, check, kernel, ownPid: curfew.pid });

test('a proved reader is used, and ends automatically', () => {
  const { kernel, curfew, check } = windows();
  // The clock of the simulated machine is not the one that is asked here.
  const sure: CheckedWindows['check'] = (input) => ({
    ...check(input),
    parts: [{ part: 'table', ok: true, found: '' }],
  });
  const opened = open(kernel, sure, curfew);
  expect(opened.source).toMatchObject({ name: 'ntdll', canReap: true });
  expect(opened.signaller.mechanism).toBe('held handle');
  expect(opened.trust.unproved).toBeNull();
});

test('where reading fails, the reader that only reports takes its place', () => {
  const { kernel, curfew, check } = windows();
  broken(kernel, 'memory', () => () => null);
  const opened = open(kernel, check, curfew);
  expect(opened.source).toMatchObject({ name: 'ps-list', canReap: false });
  expect(opened.trust.unproved).toContain('ps-list');
  expect(opened.trust.fallback).toBe('ps-list');
});

test('where only signals fail, nothing is ended', () => {
  const { kernel, curfew, check } = windows();
  const failing: CheckedWindows['check'] = (input) => ({
    ...check(input),
    parts: [
      { part: 'table', ok: true, found: '' },
      { part: 'signal', ok: false, found: 'it lives' },
    ],
  });
  const opened = open(kernel, failing, curfew);
  expect(opened.source).toMatchObject({ name: 'ntdll', canReap: false });
  expect(opened.trust.unproved).toContain('ends nothing automatically');
});

test('without koffi, and without a process table, nothing is trusted', () => {
  const check = (): ReaderCheck => ({ reader: 'ntdll', parts: [] });
  const without = openWindowsMachine({ environmentNames: [], uid: 0, check, kernel: { reason: 'no koffi' } });
  expect(without.source.canReap).toBe(false);
  expect(without.trust.unproved).not.toBeNull();
  const { kernel } = windows();
  broken(kernel, 'system', () => () => ({ status: 0xc0000022, bytes: Buffer.alloc(0), address: 0n }));
  const unread = openWindowsMachine({ environmentNames: [], uid: 0, check, kernel });
  expect(unread.source.name).toBe('ps-list');
  expect(unread.trust.unproved).not.toBeNull();
});
