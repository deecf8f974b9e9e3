import { expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import { evidenceFrom } from '../../../main/observing/evidence.ts';
import { machineOf } from './machine.ts';

test('the ports of a young process are what it was seen with, and read anew before they are final', () => {
  const machine = machineOf([{ pid: 10, ppid: 1, argv: 'server' }]);
  const asked: string[] = [];
  const source = {
    ...machine.source,
    listening: {
      isShared: () => true,
      ports: (_row: unknown, from: 'fresh' | 'kept') => {
        asked.push(from);
        return [];
      },
    },
  };
  const look = () =>
    evidenceFrom(
      source,
      () => [],
      () => machine.table().rows,
    );
  const ask = ({ listens }: ReturnType<typeof look>): void => {
    const row = machine.table().rows.get(asPid(10));
    if (row !== undefined) listens?.(row);
  };
  ask(look());
  // Its start is long ago by the time of another's.
  machine.start({ pid: 11, ppid: 1, argv: 'later' });
  const later = look();
  ask(later);
  ask(later);
  expect(asked).toEqual(['kept', 'fresh']);
});

test('the ports of a process are final a minute after it was seen first, where nothing else begins', () => {
  const machine = machineOf([{ pid: 10, ppid: 1, argv: 'server' }]);
  const asked: string[] = [];
  const ports = (_row: unknown, from: 'fresh' | 'kept') => {
    asked.push(from);
    return [];
  };
  const { rows } = machine.table();
  const evidence = evidenceFrom(
    { ...machine.source, listening: { isShared: () => true, ports } },
    () => [],
    () => rows,
  );
  const now = performance.now.bind(performance);
  try {
    for (const nowMs of [1_000, 6_000, 60_000, 62_000, 67_000]) {
      performance.now = () => nowMs;
      for (const row of rows.values()) if (row.pid === 10) evidence.listens?.(row);
    }
  } finally {
    performance.now = now;
  }
  expect(asked).toEqual(['kept', 'kept', 'kept', 'fresh']);
});
