import { execFile, execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { Aside } from '../../../../../main/os/darwin/kernel/aside.ts';
import type { AsideCall } from '../../../../../main/os/darwin/kernel/aside-thread.ts';

// The threads are those that macOS gets; read(2) of a named pipe stands for the call that never
// returns.

const onPosix = process.platform !== 'win32';
/** Long enough for any machine. */
const patient = 60_000;
/** An answer that never comes is waited for in vain. */
const impatient = 20;

const folder = mkdtempSync(join(tmpdir(), 'curfew-aside-'));
const opened: number[] = [];
const asides: Aside[] = [];
afterAll(async () => {
  // What still waits gets its answer: else this very process would leave by _exit.
  for (const fd of opened) writeSync(fd, ' '.repeat(200));
  await vi.waitFor(() => {
    if (asides.some(({ unanswered }) => unanswered.length > 0)) throw new Error('a call has not come back');
  }, patient);
  for (const fd of opened) closeSync(fd);
  rmSync(folder, { recursive: true });
});

/** A descriptor of a named pipe in which nothing is. */
const silentPipe = (name: string): number => {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR);
  opened.push(fd);
  return fd;
};

const textFile = (text: string): number => {
  const path = join(folder, `text ${text}`);
  writeFileSync(path, text);
  return openSync(path, 'r');
};

const open = (): Aside => {
  const aside = Aside.open({ library: null, calls: [{ symbol: 'read', takes: ['arg', 'room', 'size'] }], room: 4_096 });
  if (aside === null) throw new Error('threads can not make calls here');
  asides.push(aside);
  return aside;
};

const read = (aside: Aside, pid: number, fd: number, deadlineMs = patient): string | number | null => {
  const answer = aside.ask({ call: 0, pid, flavor: 0, arg: fd, size: 16 }, deadlineMs);
  if (answer === null) return null;
  return answer.errno === 0 ? answer.bytes.toString() : answer.errno;
};

test.runIf(onPosix)('answers with bytes, with none, and with an error number', () => {
  const aside = open();
  const fd = textFile('hello');
  expect([read(aside, 7, fd), read(aside, 7, fd), read(aside, 7, 999)]).toEqual(['hello', '', 9]);
  expect(aside.unanswered).toEqual([]);
});

test.runIf(onPosix)('functions that take pointers to numbers, and to the size', () => {
  const calls = [
    { symbol: 'write', takes: ['arg', 'mib', 'size'], mib: [1, 14, 0] },
    { symbol: 'socket', takes: ['arg', 'arg', 'none'] },
    { symbol: 'getsockname', takes: ['arg', 'room', 'length'] },
  ] as const satisfies readonly AsideCall[];
  const aside = Aside.open({ library: null, calls, room: 64 });
  const ask = (call: number, arg: number, size = 0) => aside?.ask({ call, pid: 1, flavor: 0, arg, size }, patient);
  const path = join(folder, 'mib');
  const fd = openSync(path, 'w');
  expect(ask(0, fd, 12)?.errno).toBe(0);
  expect(new Int32Array(new Uint8Array(readFileSync(path)).buffer)).toEqual(new Int32Array([1, 14, 0]));
  // A local socket without a name has an address of its family alone.
  const socket = ask(1, 1)?.bytes.length ?? -1;
  expect(ask(2, socket, 32)?.bytes.includes(1)).toBe(true);
  expect(ask(2, 999, 32)).toEqual({ bytes: Buffer.alloc(0), errno: 9 });
});

test.runIf(onPosix)('what does not answer is unknown, holds nothing else up, and is not asked again', async () => {
  const aside = open();
  const pipe = silentPipe('one');
  expect(read(aside, 7, pipe, impatient)).toBeNull();
  expect(aside.unanswered).toEqual([7]);
  expect(read(aside, 7, textFile('not asked'), patient)).toBeNull();
  expect(read(aside, 8, textFile('another'))).toBe('another');
  writeSync(pipe, 'late');
  await vi.waitFor(() => expect(aside.unanswered).toEqual([]), patient);
  // An answer that came too late is never taken for one to another question.
  expect([read(aside, 7, textFile('first')), read(aside, 8, textFile('second'))]).toEqual(['first', 'second']);
});

test.runIf(onPosix)('calls never pile up', () => {
  const aside = open();
  const pipe = silentPipe('many');
  const answers = [1, 2, 3, 4, 5, 6].map((pid) => read(aside, pid, pipe, impatient));
  expect(answers).toEqual([null, null, null, null, null, null]);
  expect(aside.unanswered).toEqual([1, 2, 3]);
  expect(read(aside, 9, textFile('no thread is free'))).toBeNull();
});

test.runIf(onPosix)('many answers about one process that are each a little late are not all waited for', () => {
  const aside = Aside.open({ library: null, calls: [{ symbol: 'usleep', takes: ['arg'] }], room: 16 });
  const late = (pid: number) => aside?.ask({ call: 0, pid, flavor: 0, arg: 50_000, size: 0 }, 2_000) === null;
  expect(Array.from({ length: 80 }, () => late(7))).toContain(true);
  expect(late(8)).toBe(false);
});

test.runIf(onPosix)(
  'the first question of a process is answered, about all processes and about process 0',
  async () => {
    const program = join(import.meta.dirname, '../../../../darwin/first-question.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    expect(stdout).toBe('[true,true,true,true]');
  },
);

test.runIf(onPosix)(
  'late answers about no one process take no time away, and one at a time is waited for',
  async () => {
    const aside = open();
    const pipe = silentPipe('all');
    const all = (fd: number, deadlineMs: number) =>
      aside.ask({ call: 0, pid: null, flavor: 0, arg: fd, size: 16 }, deadlineMs)?.bytes.toString() ?? null;
    expect(all(pipe, impatient)).toBeNull();
    expect(all(textFile('not asked'), patient)).toBeNull();
    expect(aside.unanswered).toEqual([]);
    writeSync(pipe, 'late');
    await vi.waitFor(() => expect(all(textFile('asked'), patient)).toBe('asked'), patient);
  },
);

test('where there is no such function, there are no threads', () => {
  expect(Aside.open({ library: null, calls: [{ symbol: 'no_such_function', takes: [] }], room: 16 })).toBeNull();
});

test.runIf(onPosix)('a program that waits for such a call ends all the same, with its own code', async () => {
  const program = join(import.meta.dirname, '../../../../darwin/hung-call.ts');
  const ended = promisify(execFile)(process.execPath, [program]);
  await expect(ended).rejects.toMatchObject({ code: 7, stdout: '{"answer":null,"unanswered":[1]}' });
});

test('a call that is made of several is made in the thread', () => {
  const aside = Aside.open({
    library: null,
    calls: [],
    room: 8,
    own: (koffi) => {
      const own = koffi.load(null).func('getpid', 'int', []);
      return (room) => {
        const pid: unknown = own();
        room.writeInt32LE(Number(pid), 0);
        return pid === 0 ? -1 : 4;
      };
    },
  });
  const answer = aside?.ask({ call: 0, pid: null, flavor: 0, arg: 0, size: 8 }, 60_000);
  expect(answer?.bytes.readInt32LE(0)).toBe(process.pid);
});
