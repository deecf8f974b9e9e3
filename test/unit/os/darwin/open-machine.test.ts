import { expect, test } from 'vitest';
import { failedParts, type ReaderCheck, type ReaderPart } from '../../../../app/process/reader-check.ts';
import { openDarwinMachine } from '../../../../main/os/darwin/open-machine.ts';
import type { ProcessSource } from '../../../../main/os/processes/source.ts';
import { checkedMac } from '../../../darwin/checked-mac.ts';
import { SimulatedKernel } from '../../../darwin/simulated-kernel.ts';

test('a Mac as it is described passes, and the signal reaches the child alone', () => {
  const { kernel, child, check } = checkedMac();
  expect(failedParts(check())).toEqual([]);
  expect(kernel.signals).toEqual([{ uniqueId: child.uniqueId, signal: 15 }]);
});

/** Moves what a call answers, as another version of the system might. */
const moved = (name: string, by: number) => (kernel: SimulatedKernel) => {
  kernel.alter = (asked, answer) => {
    if (asked !== name) return answer;
    const bytes = Buffer.alloc(answer.bytes.length);
    answer.bytes.copy(bytes, by);
    return { ...answer, bytes };
  };
};

test.each<[string, ReaderPart, (kernel: SimulatedKernel) => void]>([
  ['rows that moved by four bytes', 'table', moved('table', 4)],
  ['unique ids that moved', 'table', moved('info 17', 8)],
  [
    'another process named as the one that started it',
    'parent',
    (kernel) => {
      for (const one of kernel.processes.values()) one.parentUniqueId = kernel.launchd.uniqueId;
    },
  ],
  ['arguments that moved', 'arguments', moved('arguments', 4)],
  ['folders that moved', 'files', moved('info 9', 8)],
  ['files that moved', 'files', moved('file 2', 8)],
  ['sockets that moved', 'channels', moved('file 3', 8)],
  ['lists of files that moved', 'channels', moved('info 1', 8)],
  ['signals that reach any version', 'wrong-signal', (kernel) => void (kernel.signalByToken = () => 0)],
  ['signals that reach none', 'signal', (kernel) => void (kernel.signalByToken = () => 3)],
])('%s are found out', (_what, part, breaks) => {
  const { kernel, check } = checkedMac();
  breaks(kernel);
  let failed: readonly ReaderPart[];
  try {
    failed = failedParts(check()).map((one) => one.part);
  } catch {
    // The reader did not even open.
    failed = ['table'];
  }
  expect(failed).toContain(part);
});

const fallback = { name: 'ps-list' } as ProcessSource;
const passed: ReaderCheck = { reader: 'libproc', parts: [{ part: 'table', ok: true, found: '' }] };
const failing = (part: ReaderPart): ReaderCheck => ({
  reader: 'libproc',
  parts: [...passed.parts, { part, ok: false, found: 'something else' }],
});

const open = (
  check: () => ReaderCheck,
  kernel: SimulatedKernel | { readonly reason: string } = new SimulatedKernel(),
) => openDarwinMachine({ environmentNames: [], uid: 501, kernel, check, openFallback: () => fallback });

test('what passes is used', () => {
  const { source, signaller, trust } = open(() => passed);
  expect(source.name).toBe('libproc');
  expect(signaller.mechanism).toBe('audit token');
  expect(trust.unproved).toBeNull();
});

test('before macOS 14.2 the unique id is read right before each signal', () => {
  const kernel = new SimulatedKernel();
  kernel.signalByToken = null;
  expect(open(() => passed, kernel).signaller.mechanism).toBe('recheck of unique ids');
});

test('a reader that fails is not used, and nothing is ended automatically', () => {
  for (const part of ['table', 'identity', 'environment', 'channels'] as const) {
    const { source, trust } = open(() => failing(part));
    expect(source).toBe(fallback);
    expect(trust.unproved).toContain('The self-check of libproc failed');
    expect(trust.unproved).toContain('through ps-list instead, only reports');
  }
});

test('without koffi, or without an answer of the kernel, nothing is ended automatically', () => {
  const { source, trust } = open(() => passed, { reason: 'Cannot find module koffi' });
  expect(source).toBe(fallback);
  expect(trust.checks).toMatchObject([{ parts: [{ ok: false, found: 'Cannot find module koffi' }] }]);
  const kernel = new SimulatedKernel();
  kernel.alter = () => ({ bytes: Buffer.alloc(0), errno: 1 });
  expect(open(() => passed, kernel).trust.unproved).not.toBeNull();
});

test('a check that says nothing proves nothing', () => {
  const { source, trust } = open(() => ({ reader: 'libproc', parts: [] }));
  expect(source).toBe(fallback);
  expect(trust.unproved).not.toBeNull();
});

test('where only signals fail the reader stays, and each process is read again before its signal', () => {
  const { source, signaller, trust } = open(() => failing('signal'));
  expect(source.name).toBe('libproc');
  expect(signaller.mechanism).toBe('recheck');
  expect(trust.unproved).not.toBeNull();
});
