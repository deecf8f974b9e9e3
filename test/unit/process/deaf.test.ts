import { expect, test } from 'vitest';
import { isDeaf } from '../../../app/process/deaf.ts';
import { type MemberFacts, unknownFacts } from '../../../app/process/facts.ts';

const holding = (targets: Readonly<Record<number, string>>, more: Partial<MemberFacts> = {}): MemberFacts => ({
  ...unknownFacts,
  openFiles: Object.entries(targets).map(([fd, target]) => ({ fd: Number(fd), target, deleted: false })),
  ...more,
});
const nulls = { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' };

test.each([
  ['nothing but /dev/null', nulls],
  ['a log', { 0: '/dev/null', 1: '/tmp/out.log', 2: '/tmp/out.log' }],
  ['nothing at all', {}],
  ['the script that bash reads', { ...nulls, 255: '/tmp/run.sh' }],
])('what holds %s can be asked for nothing', (_what, targets) => {
  expect(isDeaf(holding(targets))).toBe(true);
});

test.each([
  ['a pipe to read from', { ...nulls, 0: 'pipe:[1]' }, {}],
  ['a file or FIFO to read from', { ...nulls, 0: '/tmp/orders' }, {}],
  ['a FIFO beside its output', { ...nulls, 3: '/tmp/orders' }, {}],
  ['a socket', { ...nulls, 3: 'socket:[1]' }, { sockets: 1 }],
  ['a socket as its output', { ...nulls, 1: 'socket:[1]' }, {}],
  ['a port', nulls, { ports: [3000] }],
  ['notes of changed files', { ...nulls, 4: 'anon_inode:inotify' }, {}],
  ['files that were not all told', nulls, { furtherFiles: true as const }],
])('what holds %s may be asked', (_what, targets, more) => {
  expect(isDeaf(holding(targets, more))).toBe(false);
});

test('what can’t be read may be asked', () => {
  expect(isDeaf(unknownFacts)).toBe(false);
});
