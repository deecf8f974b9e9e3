import { expect, test } from 'vitest';
import type { LedgerEntry } from '../../../../app/jobs/ledger/ledger.ts';
import { indexLedger } from '../../../../app/jobs/ledger/ledger-index.ts';
import { asPid } from '../../../../app/process/identity.ts';
import { processTree } from '../../../../app/process/tree.ts';
import type { NativeSource } from '../../../../main/os/windows/native/source.ts';
import { sourceOn } from '../../../windows/asked.ts';
import { SimulatedWindows, type Simulated } from '../../../windows/simulated-windows.ts';

// Windows gives numbers out again while processes live that have them as their parent's, and as
// their session's.

interface Machine {
  readonly kernel: SimulatedWindows;
  readonly source: NativeSource;
  /** A shell without a parent or console, with what it started. */
  readonly shell: Simulated;
  readonly left: Simulated;
}

const machine = (): Machine => {
  const kernel = new SimulatedWindows();
  const curfew = kernel.start(kernel.explorer);
  const shell = kernel.start(null, { parent: 9_000, image: 'bash.exe', console: false });
  const left = kernel.start(shell);
  const source = sourceOn(kernel, curfew, []);
  return { kernel, source, shell, left };
};

const none: ReadonlySet<never> = new Set();

test('a session is not that of a new process which has the number of its leader', () => {
  const { kernel, source, shell, left } = machine();
  expect(source.scan(none).rows.get(asPid(left.pid))?.sid).toBe(shell.pid);
  kernel.end(shell);
  const mine = kernel.start(kernel.explorer, { pid: shell.pid });
  const child = kernel.start(mine);
  const { rows } = source.scan(none);
  expect(rows.get(asPid(mine.pid))?.sid).toBe(mine.pid);
  expect(rows.get(asPid(child.pid))?.sid).toBe(mine.pid);
  const sid = rows.get(asPid(left.pid))?.sid;
  expect(sid).toBeGreaterThan(2 ** 31);
  expect(source.scan(none).rows.get(asPid(left.pid))?.sid).toBe(sid);
});

test('a parent that was seen never becomes another process, also when the clock is set back', () => {
  const { kernel, source, shell, left } = machine();
  expect(source.scan(none).rows.get(asPid(left.pid))?.ppid).toBe(shell.pid);
  kernel.end(shell);
  const other = kernel.start(kernel.explorer, { pid: shell.pid });
  // Older than the one whose parent had its number, by a clock that was set back.
  Object.defineProperty(other, 'created', { value: left.created - 10_000_000n });
  expect(source.scan(none).rows.get(asPid(left.pid))?.ppid).toBe(0);
  expect(source.read(asPid(left.pid))?.ppid).toBe(0);
});

test('one that was without a parent when it was seen first never gets one', () => {
  const { kernel, source, shell } = machine();
  expect(source.scan(none).rows.get(asPid(shell.pid))?.ppid).toBe(0);
  const late = kernel.start(kernel.explorer, { pid: 9_000 });
  Object.defineProperty(late, 'created', { value: shell.created - 10_000_000n });
  expect(source.scan(none).rows.get(asPid(shell.pid))?.ppid).toBe(0);
});

test('what started it can not be told from a start in the future, nor from a table with holes', () => {
  const { kernel, source, left } = machine();
  const unsure = (one: Simulated): boolean | undefined =>
    source.scan(none).rows.get(asPid(one.pid))?.windows?.unsureParent;
  expect(unsure(left)).toBe(false);
  const future = kernel.start(kernel.explorer);
  kernel.nowMs -= 60_000;
  expect(unsure(future)).toBe(true);
  kernel.nowMs += 120_000;
  // It does not become certain by waiting.
  expect(unsure(future)).toBe(true);
  const hole = kernel.start(kernel.explorer);
  const below = kernel.start(hole);
  Object.defineProperty(hole, 'created', { value: 1n, configurable: true });
  expect(unsure(below)).toBe(true);
  Object.defineProperty(hole, 'created', { value: below.created - 1n });
  expect(unsure(below)).toBe(false);
  expect(source.read(asPid(below.pid))?.ppid).toBe(hole.pid);
});

test('a hole where the known parent was makes it unsure for that look', () => {
  const { source, shell, left } = machine();
  source.scan(none);
  const created = shell.created;
  Object.defineProperty(shell, 'created', { value: 1n, configurable: true });
  expect(source.scan(none).rows.get(asPid(left.pid))).toMatchObject({ ppid: 0, windows: { unsureParent: true } });
  Object.defineProperty(shell, 'created', { value: created });
  expect(source.scan(none).rows.get(asPid(left.pid))).toMatchObject({
    ppid: shell.pid,
    windows: { unsureParent: false },
  });
});

test('a part of the kernel that has no start is no hole', () => {
  const { kernel, source } = machine();
  Object.defineProperty(kernel.start(null, { parent: 4, image: 'Secure System' }), 'created', { value: 0n });
  expect(source.scan(none).complete).toBe(true);
  Object.defineProperty(kernel.start(kernel.explorer), 'created', { value: 0n });
  expect(source.scan(none).complete).toBe(false);
});

test('the ledger knows processes of Windows by their identity, not by numbers of groups and sessions', () => {
  const { kernel, source, shell, left } = machine();
  const table = source.scan(none);
  const [one, other] = [shell, left].map(({ pid }) => table.rows.get(asPid(pid)));
  if (one === undefined || other === undefined) throw new Error('they are in the table');
  const entry = {
    bootId: table.bootId,
    root: one,
    members: [one],
    groups: [shell.pid, left.pid],
    kernelSessions: [shell.pid],
    lastSeenTicks: table.nowTicks,
  } as unknown as LedgerEntry;
  const index = indexLedger(table, processTree(table.rows), [entry]);
  expect(index.byIdentity(one)).toBe(entry);
  expect([index.byGroup(other), index.bySession(other), index.bySession(one)]).toEqual([null, null, null]);
  expect(kernel.handles.size).toBe(0);
});

/** Whether the parent of a process is not known for certain, and which it is taken for. */
const parentOf = ({ source }: Machine, one: Simulated) => {
  const row = source.scan(none).rows.get(asPid(one.pid));
  return { ppid: Number(row?.ppid), isUnsure: row?.windows?.unsureParent };
};

test('a parent that looks younger because the clock was set back leaves its child unsure', () => {
  const stage = machine();
  const { kernel, source, shell } = stage;
  kernel.nowMs += 600_000;
  const young = kernel.start(shell);
  source.scan(none);
  kernel.setClock(-60);
  kernel.nowMs += 1_000;
  expect(parentOf(stage, kernel.start(young))).toEqual({ ppid: 0, isUnsure: true });
  // The shell began longer ago than the clock was set back.
  expect(parentOf(stage, kernel.start(shell))).toEqual({ ppid: shell.pid, isUnsure: false });
});

test('a younger process with the number of a parent is no parent, and no doubt, while no clock was set', () => {
  const stage = machine();
  const { kernel, source, shell, left } = stage;
  kernel.end(shell);
  kernel.nowMs += 60_000;
  kernel.start(kernel.explorer, { pid: shell.pid });
  source.scan(none);
  expect(parentOf(stage, left)).toEqual({ ppid: 0, isUnsure: false });
});

test('what says that it began before a look that did not list it leaves its parent unsure', () => {
  const stage = machine();
  const { kernel, source, shell } = stage;
  kernel.nowMs += 600_000;
  source.scan(none);
  kernel.nowMs += 1_000;
  kernel.setClock(-3_600);
  const odd = kernel.start(shell);
  kernel.setClock(3_600);
  kernel.nowMs += 1_000;
  const next = kernel.start(shell);
  expect(parentOf(stage, odd).isUnsure).toBe(true);
  expect(parentOf(stage, next)).toEqual({ ppid: shell.pid, isUnsure: false });
});
