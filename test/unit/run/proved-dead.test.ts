import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { whyNotDead } from '../../../main/run/record/proved-dead.ts';
import { machineOf } from '../jobs/machine.ts';

const kernel = '00000000-0000-4000-8000-00000000000';
const bootId = `${kernel}1/4026531836`;
const { rows } = machineOf([{ pid: 34, argv: 'curfew run', start: 50 }]).table();
const reader = { bootId, read: (pid: number) => [...rows.values()].find((row) => row.pid === pid) ?? null };
const named = { pid: 34, startTicks: 5000, bootId, host: hostname() };

test('the death of a process that is named is proved only by its own boot, pid namespace and machine', () => {
  const why = (more: Partial<typeof named>) => whyNotDead({ ...named, ...more }, reader as never);
  expect(why({})).toBe('lives');
  expect([why({ pid: 35 }), why({ startTicks: 4999 })]).toEqual([null, null]);
  const ended = { pid: 35 } as const;
  expect(why({ ...ended, host: 'another' })).toBe('elsewhere');
  expect(why({ ...ended, bootId: `${kernel}2/4026531836` })).toBe('another-boot');
  expect(why({ ...ended, bootId: `${kernel}1/4026531837` })).toBe('another-namespace');
});
