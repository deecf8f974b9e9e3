import { expect, test } from 'vitest';
import { diagnosesOf } from '../../../app/jobs/diagnoses.ts';
import { processTree } from '../../../app/process/tree.ts';
import { blockedReadingIn } from '../../../main/os/linux/member-facts.ts';
import { tableOf, type Planted } from './diagnosed-table.ts';

const codes = (processes: readonly Planted[]): readonly string[] => {
  const { rows, members, facts } = tableOf(processes);
  return diagnosesOf(processTree(rows), members, facts).map(({ code }) => code);
};

test('a reader of a pipe that nobody in the job writes to waits on standard input', () => {
  expect(codes([{ pid: 10, blockedReading: 0, files: { 0: 'pipe:[7]', 1: '/dev/null' } }])).toEqual([
    'waiting-on-stdin',
  ]);
  expect(codes([{ pid: 10, blockedReading: 0, files: { 0: '/tmp/never' } }])).toEqual(['waiting-on-stdin']);
});

test('a reader that another member feeds waits for that one', () => {
  expect(
    codes([
      { pid: 10, blockedReading: null, files: { 0: '/dev/null', 1: 'pipe:[7]' } },
      { pid: 11, blockedReading: 0, files: { 0: 'pipe:[7]', 1: '/dev/null' } },
    ]),
  ).toEqual([]);
});

test('a reader of another descriptor, and one that is not blocked, are at work', () => {
  expect(codes([{ pid: 10, blockedReading: 3, files: { 0: 'pipe:[7]' } }])).toEqual([]);
  expect(codes([{ pid: 10, blockedReading: null, files: { 0: 'pipe:[7]' } }])).toEqual([]);
});

test.each([
  ['0 0x0 0x7ffe 0x1000 0x0 0x0 0x0 0x7ffd 0x7f1d', 'x64', 0],
  ['63 0x3 0x7ffe 0x1000', 'arm64', 3],
  ['63 0x3 0x7ffe 0x1000', 'x64', null],
  ['230 0x0 0x0 0x7ffe', 'x64', null],
  ['running', 'x64', null],
  ['-1 0x7ffe 0x0', 'x64', null],
  ['', 'x64', null],
] as const)('/proc/PID/syscall %j on %s: blocked reading %s', (text, architecture, fd) => {
  expect(blockedReadingIn(text, architecture)).toBe(fd);
});

test('nothing is read where the machine does not say', () => {
  expect(blockedReadingIn(null, 'x64')).toBeNull();
});
