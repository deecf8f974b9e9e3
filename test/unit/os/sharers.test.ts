import { describe, expect, test } from 'vitest';
import { memoryIn, namelessPipe } from '../../../main/os/linux/probe/sharers.ts';
import { type Shared, sharersAmong } from '../../../main/os/processes/sharers.ts';

const line = (inode: string, path: string): string => `7f00-7f01 rw-s 00000000 00:01 ${inode} ${path}`;

test('memory of System V is known by its number, also by the first, which is 0', () => {
  expect([...memoryIn(`${line('0', '/SYSV0000004d')}\n`).keys()]).toEqual(['memory 00:01 0']);
  expect([...memoryIn(`${line('32769', '/SYSV0000004d (deleted)')}\n`).keys()]).toEqual(['memory 00:01 32769']);
  expect([...memoryIn(`${line('0', '')}\n`).keys()]).toEqual([]);
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
