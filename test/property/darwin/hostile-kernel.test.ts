import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { readDescriptors } from '../../../main/os/darwin/kernel/descriptors.ts';
import type { KernelAnswer } from '../../../main/os/darwin/kernel/kernel.ts';
import { rowsIn } from '../../../main/os/darwin/kernel/process-rows.ts';
import { NativeSource } from '../../../main/os/darwin/native/source.ts';
import { ProcessTableUnreadable } from '../../../main/os/processes/source.ts';
import { SimulatedKernel } from '../../darwin/simulated-kernel.ts';

const world = (): { readonly kernel: SimulatedKernel; readonly source: NativeSource } => {
  const kernel = new SimulatedKernel();
  const curfew = kernel.launch({ argv: ['/opt/bin/curfew'] });
  const shell = kernel.launch({ argv: ['/opt/bin/fish'], tty: 7 });
  const agent = kernel.start(shell, { argv: ['/opt/bin/claude'], env: ['MARK=1'] });
  kernel.start(agent, {
    argv: ['/bin/zsh', '-c', 'npm test'],
    setsid: true,
    opened: [
      { fd: 0, kind: 'local', socket: 11, peer: 12 },
      { fd: 1, kind: 'file', path: '/tmp/out' },
      { fd: 2, kind: 'pipe', handle: 5, peer: 0 },
      { fd: 3, kind: 'tcp', socket: 31, local: 80, foreign: 0, listens: true },
    ],
  });
  kernel.asker = curfew;
  const source = new NativeSource({
    kernel,
    environmentNames: ['MARK'],
    uid: 501,
    ownPid: curfew.pid,
    now: () => kernel.nowMs,
  });
  return { kernel, source };
};

const readAll = (source: NativeSource): ProcessTable => {
  const table = source.scan(new Set());
  const rows = [...table.rows.values()].filter(({ uid }) => uid === 501);
  source.facts(rows);
  for (const row of rows) {
    source.outputs(row);
    source.channels().of(row.pid);
    source.read(row.pid);
  }
  source.probing.exchanges([rows.map(({ pid }) => ({ pid, files: [] }))]);
  source.probing.possibleClients(rows.map(({ pid }) => ({ pid, files: [], ports: new Set([80]) })));
  return table;
};

/** A mistake of one answer: bytes cut, added, flipped, or an error. */
const mistakes = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), by: fc.nat({ max: 700 }) }),
  fc.record({ kind: fc.constant('add' as const), bytes: fc.uint8Array({ minLength: 1, maxLength: 700 }) }),
  fc.record({ kind: fc.constant('replace' as const), bytes: fc.uint8Array({ maxLength: 2_500 }) }),
  fc.record({ kind: fc.constant('error' as const), errno: fc.constantFrom(1, 3, 4, 5, 9, 12, 22, 38, 45, 84, -1) }),
);

const altered = (
  answer: KernelAnswer,
  mistake: Parameters<typeof mistakes.filter>[0] extends (one: infer One) => unknown ? One : never,
): KernelAnswer => {
  switch (mistake.kind) {
    case 'cut':
      return { ...answer, bytes: answer.bytes.subarray(0, Math.max(0, answer.bytes.length - mistake.by)) };
    case 'add':
      return { ...answer, bytes: Buffer.concat([answer.bytes, Buffer.from(mistake.bytes)]) };
    case 'replace':
      return { ...answer, bytes: Buffer.from(mistake.bytes) };
    case 'error':
      return { bytes: Buffer.alloc(0), errno: mistake.errno };
  }
};

const names = [
  'table',
  'row',
  'arguments',
  'info 17',
  'info 20',
  'info 1',
  'info 4',
  'info 9',
  'file 2',
  'file 3',
  'file 6',
  'usage',
  'path',
  'signature',
  'session',
];

test('whatever one call answers: a typed error, or a table in which no process is invented', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), mistakes, fc.nat({ max: 12 }), (name, mistake, from) => {
      const { kernel, source } = world();
      const honest = new Map([...kernel.processes].map(([pid, one]) => [pid, one.start]));
      let seen = 0;
      kernel.alter = (asked, answer) => (asked === name && seen++ >= from ? altered(answer, mistake) : answer);
      let table: ProcessTable | null = null;
      let error: unknown = null;
      try {
        table = readAll(source);
      } catch (thrown) {
        error = thrown;
      }
      expect(error === null || error instanceof ProcessTableUnreadable).toBe(true);
      const isForged = name === 'table' && mistake.kind !== 'cut';
      const rows = table === null || isForged ? [] : [...table.rows.values()];
      expect(rows.every((row) => honest.get(row.pid) === row.startTicks)).toBe(true);
      const isWhole = isForged || rows.length === honest.size - 1;
      expect(table === null || isWhole || !table.complete || table.missed !== 0).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('whatever counters are answered: silence is only told where each was', () => {
  fc.assert(
    fc.property(mistakes, fc.nat({ max: 6 }), (mistake, from) => {
      const { kernel, source } = world();
      const pids = [...kernel.processes.values()].filter(({ uid }) => uid === 501).map(({ pid }) => pid);
      const ask = () => source.probing.exchanges([pids.map((pid) => ({ pid, files: [] }))])[0];
      expect(ask()?.kind).toBe('measured');
      let seen = 0;
      let bad = false;
      kernel.alter = (name, answer) => {
        if (name !== 'info 4' || seen++ !== from) return answer;
        const now = altered(answer, mistake);
        bad = now.errno !== 0 || now.bytes.length !== answer.bytes.length;
        return now;
      };
      const told = ask();
      expect(told?.kind === 'unknown' || !bad).toBe(true);
    }),
  );
});

test('rows of any bytes are whole processes of different pids', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 648 * 3 }), (bytes) => {
      const { rows, unread } = rowsIn(Buffer.from(bytes));
      expect(new Set(rows.map(({ pid }) => pid)).size).toBe(rows.length);
      expect(rows.every(({ pid, startTicks }) => Number.isSafeInteger(pid) && Number.isSafeInteger(startTicks))).toBe(
        true,
      );
      expect(rows.length + unread).toBeGreaterThanOrEqual(Math.floor(bytes.length / 648));
    }),
  );
});

test('a pid that comes twice in a table is no process at all', () => {
  const { kernel } = world();
  const { bytes } = kernel.sysctl([1, 14, 0], 1e6);
  const { rows, unread } = rowsIn(Buffer.concat([bytes, bytes.subarray(648 * 2, 648 * 3)]));
  expect(unread).toBe(1);
  expect(rows).toHaveLength(bytes.length / 648 - 1);
});

test('an empty list of open files is empty, an error is unknown', () => {
  const { kernel } = world();
  const pid = asPid(Math.max(...kernel.processes.keys()));
  kernel.alter = (name, answer) => (name === 'info 1' ? { bytes: Buffer.alloc(0), errno: 0 } : answer);
  expect(readDescriptors(kernel, pid)).toEqual({ all: [], complete: true });
  kernel.alter = (name, answer) => (name === 'info 1' ? { bytes: Buffer.alloc(0), errno: 1 } : answer);
  expect(readDescriptors(kernel, pid)).toBeNull();
});
