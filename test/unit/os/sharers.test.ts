import { describe, expect, test } from 'vitest';
import { memoryIn, namelessPipe } from '../../../main/os/linux/probe/sharers.ts';
import { type Shared, sharersAmong } from '../../../main/os/processes/sharers.ts';

const line = (inode: string, path: string): string => `7f00-7f01 rw-s 00000000 00:01 ${inode} ${path}`;

const memory = (maps: string, comm = 'worker', ...argv: readonly string[]): readonly string[] => [
  ...memoryIn(`${maps}\n`, () => ({ comm, argv })).keys(),
];

test('memory of System V is known by its number, also by the first, which is 0', () => {
  expect(memory(line('0', '/SYSV0000004d'))).toEqual(['memory 00:01 0']);
  expect(memory(line('32769', '/SYSV0000004d (deleted)'))).toEqual(['memory 00:01 32769']);
  expect(memory(line('0', ''))).toEqual([]);
});

test('the locks of podman are none of use between podmans; memory that is only called so is', () => {
  for (const name of ['libpod_lock', 'libpod_rootless_lock_1000']) {
    const locks = line('7', `/dev/shm/${name}`);
    expect(memory(locks, 'podman', 'podman', 'run')).toEqual([]);
    expect(memory(locks, 'exe', '/usr/bin/podman', 'run')).toEqual([]);
    expect(memory(locks)).toEqual(['memory 00:01 7']);
    expect(memory(locks, 'exe', 'worker')).toEqual(['memory 00:01 7']);
    expect(memory(locks, 'worker', 'podman')).toEqual(['memory 00:01 7']);
  }
});

test('memory under /dev is shared, devices are not', () => {
  expect(memory(line('7', '/dev/hugepages/pool'))).toEqual(['memory 00:01 7']);
  expect(memory(line('7', '/dev/zero (deleted)'))).toEqual(['memory 00:01 7']);
  expect(memory(line('7', '/dev/dri/renderD128'))).toEqual([]);
});

describe('a pipe without a name', () => {
  /** Which processes have it open besides the job of process 20, and when each began. */
  const clientsBeside = (
    began: Readonly<Record<number, number | null>>,
  ): readonly (readonly number[] | undefined)[] => {
    const all = [20, ...Object.keys(began).map(Number)];
    const held = (): ReadonlyMap<string, Shared> => new Map([namelessPipe('pipe:[1]')]);
    const { clients } = sharersAmong([new Set([20])], all, held, (pid) => (pid === 20 ? 200 : (began[pid] ?? null)));
    return clients[0]?.map(({ holders }) => holders) ?? [];
  };

  test('has a client where that began later, in the same tick, or when is not known', () => {
    expect(clientsBeside({ 30: 300 })).toEqual([[30]]);
    expect(clientsBeside({ 30: 200 })).toEqual([[30]]);
    expect(clientsBeside({ 30: null })).toEqual([[30]]);
  });

  test('has none where something older has it: all have it from what started them', () => {
    expect(clientsBeside({ 10: 100 })).toEqual([]);
    expect(clientsBeside({ 10: 100, 30: 300 })).toEqual([]);
    expect(clientsBeside({})).toEqual([]);
  });
});
