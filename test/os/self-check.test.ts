import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepName } from '../../app/guard/script/keep-assignment.ts';
import { failedParts, passes, readsRight, type ReaderPart } from '../../app/process/reader-check.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';
import { openSignaller } from '../../main/os/open-signaller.ts';
import type { Signaller } from '../../main/os/processes/signaller.ts';
import type { ProcessSource } from '../../main/os/processes/source.ts';
import { selfCheck } from '../../main/os/self-check/self-check.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-test-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const uid = process.getuid?.() ?? 0;
const open = (): ProcessSource => new LinuxSource({ environmentNames: [keepName], uid });

/** The same source with some of its answers replaced. */
const broken = (source: ProcessSource, change: Partial<ProcessSource>): ProcessSource => ({
  name: source.name,
  canReap: source.canReap,
  bootId: source.bootId,
  pidNamespace: source.pidNamespace,
  cgroups: source.cgroups,
  refresh: null,
  startedSinceScan: () => source.startedSinceScan(),
  holdsOutput: () => false,
  portsInUse: () => source.portsInUse(),
  scan: (watched) => source.scan(watched),
  read: (pid) => source.read(pid),
  environment: (row) => source.environment(row),
  readEnvironment: (pid) => source.readEnvironment(pid),
  outputs: (row) => source.outputs(row),
  facts: (rows) => source.facts(rows),
  ...change,
});

const withRows = (source: ProcessSource, change: (row: ProcessRow) => ProcessRow): ProcessSource =>
  broken(source, {
    scan: (watched) => {
      const table = source.scan(watched);
      return { ...table, rows: new Map([...table.rows].map(([pid, row]) => [pid, change(row)])) };
    },
  });

const failed = (source: ProcessSource, signaller: Signaller = openSignaller(open())): readonly ReaderPart[] =>
  failedParts(selfCheck({ source, signaller })).map(({ part }) => part);

test('this machine’s own reader reproduces every known fact', () => {
  const source = open();
  const check = selfCheck({ source, signaller: openSignaller(source) });
  expect(failedParts(check)).toEqual([]);
  expect(passes(check)).toBe(true);
  expect(readsRight(check)).toBe(true);
});

test('a wall clock that is set while it runs is no fault', () => {
  const now = Date.now.bind(Date);
  let aheadMs = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  const source = open();
  const set = broken(source, {
    scan: (watched) => {
      aheadMs = 86_400_000;
      return source.scan(watched);
    },
  });
  try {
    const { found } = selfCheck({ source: set, signaller: openSignaller(source) }).parts.find(
      ({ part }) => part === 'identity',
    ) ?? { found: 'nothing' };
    expect(found).toBe('');
  } finally {
    clock.mockRestore();
  }
});

test('it leaves no process and no folder behind', () => {
  const source = open();
  selfCheck({ source, signaller: openSignaller(source) });
  expect(readdirSync(folder)).toEqual([]);
});

test.each<[string, ReaderPart, (source: ProcessSource) => ProcessSource]>([
  ['a wrong parent', 'parent', (source) => withRows(source, (row) => ({ ...row, ppid: 1 as typeof row.ppid }))],
  ['a wrong user', 'table', (source) => withRows(source, (row) => ({ ...row, uid: uid + 1 }))],
  ['a group of all', 'groups', (source) => withRows(source, (row) => ({ ...row, pgid: 7 as typeof row.pgid }))],
  ['no names', 'name', (source) => withRows(source, (row) => ({ ...row, comm: '' }))],
  ['a terminal of all', 'terminal', (source) => withRows(source, (row) => ({ ...row, tty: 7 }))],
  ['a start of another clock', 'identity', (source) => withRows(source, (row) => ({ ...row, startTicks: 7 }))],
  ['arguments of another process', 'arguments', (source) => withRows(source, (row) => ({ ...row, argv: ['vim'] }))],
  ['an empty environment', 'environment', (source) => broken(source, { environment: () => ({}) })],
  ['a hidden environment', 'environment', (source) => broken(source, { environment: () => null })],
  ['no open files', 'files', (source) => broken(source, { outputs: () => null })],
  [
    'an end that counts as closed',
    'channels',
    (source) =>
      broken(source, {
        channels: () => ({
          ends: () => new Set(),
          ownEnds: () => null,
          of: () => ({
            standard: [
              { kind: 'pair', far: 'closed' },
              { kind: 'file', far: 'unknown' },
              { kind: 'null', far: 'unknown' },
            ],
            held: [{ fd: 0, kind: 'pair', end: 'a', otherEnd: null, far: 'closed' }],
            listens: [],
            complete: true,
          }),
        }),
      }),
  ],
])('a reader that gives %s is found out', (_what, part, breaks) => {
  expect(failed(breaks(open()))).toContain(part);
});

test('a reader that gives no table fails without an error', () => {
  const source = broken(open(), {
    scan: () => {
      throw new Error('no table');
    },
  });
  expect(failed(source)).toEqual(['table']);
});

test('a signaller that takes any process for the one meant, or reaches none, is found out', () => {
  const source = open();
  const honest = openSignaller(source);
  const careless: Signaller = {
    mechanism: 'careless',
    open: (identity) => honest.open({ ...identity, startTicks: source.read(identity.pid)?.startTicks ?? 0 }),
  };
  expect(failed(source, careless)).toEqual(['wrong-signal']);
  const deaf: Signaller = {
    mechanism: 'deaf',
    open: (identity) => {
      const handle = honest.open(identity);
      if (handle === null) return null;
      return {
        identity,
        kind: 'recheck',
        alive: () => true,
        send: () => 'refused',
        sendToGroup: () => 'unsupported',
        close: () => handle.close(),
      };
    },
  };
  expect(failed(source, deaf)).toEqual(['signal']);
});
