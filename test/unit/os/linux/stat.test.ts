import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isKernelThread, readStat, StatFields } from '../../../../main/os/linux/proc/stat.ts';

/** Returns a line as kernel 6.18 printed it, with the given name. */
const line = (name: Uint8Array, state = 'S', threads = 1): Buffer =>
  Buffer.concat([
    Buffer.from('4711 ('),
    name,
    Buffer.from(
      `) ${state} 17 4710 4709 34817 -1 4194304 123 0 0 0 11 22 33 44 20 0 ${threads} 0 348786 8192000 512 18446744073709551615 ` +
        '94000000000000 94000000001000 140720000000000 0 0 0 0 4096 0 0 0 0 17 1 0 0 0 0 0 94000000002000 94000000003000 ' +
        '94000000004000 140720000001000 140720000001020 140720000001020 140720000001999 0\n',
    ),
  ]);

const read = (bytes: Buffer, length = bytes.length): StatFields | null => {
  const fields = new StatFields();
  return readStat(bytes, length, fields) ? fields : null;
};

const nameIn = (bytes: Buffer, fields: StatFields): string => bytes.toString('utf8', fields.nameStart, fields.nameEnd);

test('every field is where proc_pid_stat(5) says', () => {
  expect(read(line(Buffer.from('sleep')))).toEqual({
    nameStart: 6,
    nameEnd: 11,
    state: 'S',
    ppid: 17,
    pgid: 4710,
    sid: 4709,
    tty: 34817,
    flags: 4194304,
    cpuTicks: 110,
    threads: 1,
    isThread: false,
    startTicks: 348786,
    rssPages: 512,
    stackStart: 140720000000000,
    argStart: 140720000001000,
    envStart: 140720000001020,
    envEnd: 140720000001999,
  });
});

test('the number of a thread is told from that of a process by its exit signal', () => {
  const ofThread = line(Buffer.from('sleep')).toString().replace(' 0 0 0 0 17 1 0 0', ' 0 0 0 0 -1 1 0 0');
  expect(read(Buffer.from(ofThread))?.isThread).toBe(true);
});

test.each(['a) R 1 (b', ') Z 1 1 1', '(((', ')))', 'two words', 'new\nline', '', ' ', '1 (x) S 2'])(
  'a process may call itself %j',
  (name) => {
    const bytes = line(Buffer.from(name));
    const fields = read(bytes);
    expect(fields?.ppid).toBe(17);
    expect(fields?.state).toBe('S');
    expect(fields && nameIn(bytes, fields)).toBe(name);
  },
);

test('any name of 15 bytes comes back as it is and moves no field', () => {
  const nameless = read(line(Buffer.from('')));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 15 }), (name) => {
      const bytes = line(name);
      const fields = read(bytes);
      expect(fields).toEqual(Object.assign(new StatFields(), nameless, { nameEnd: 6 + name.length }));
      expect(Buffer.from(bytes.subarray(6, 6 + name.length)).equals(name)).toBe(true);
    }),
  );
});

test('any bytes are either a line or not, and never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(500), (bytes, length) => {
      const fields = read(Buffer.from(bytes), length);
      expect(fields === null || Number.isFinite(fields.startTicks)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test('a line cut before its memory addresses is read correctly or rejected', () => {
  const bytes = line(Buffer.from('a) b'));
  const whole = read(bytes);
  for (let length = 0; length < bytes.length; length++) {
    const fields = read(bytes, length);
    if (fields === null) continue;
    expect(fields.startTicks).toBe(whole?.startTicks);
    expect(fields.ppid).toBe(whole?.ppid);
  }
  expect(read(bytes, 30)).toBeNull();
});

test('kernel threads are recognised by the kernel’s flag, not by their name', () => {
  const fields = read(line(Buffer.from('[kworker/0:0]')));
  expect(fields && isKernelThread(fields)).toBe(false);
  const kernel = read(
    Buffer.from('2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 3 0 0 18446744073709551615 0 0 0\n'),
  );
  expect(kernel && isKernelThread(kernel)).toBe(true);
});

test('a leader that ended before its threads is alive, a zombie is not', () => {
  expect(read(line(Buffer.from('x'), 'Z', 2))?.state).toBe('S');
  expect(read(line(Buffer.from('x'), 'Z', 1))?.state).toBe('Z');
});

test.each([
  ['T', 'T'],
  ['t', 't'],
  ['D', 'D'],
  ['I', 'I'],
  ['x', 'X'],
  ['P', '?'],
])('state letter %s reads as %s', (letter, state) => {
  expect(read(line(Buffer.from('x'), letter))?.state).toBe(state);
});
