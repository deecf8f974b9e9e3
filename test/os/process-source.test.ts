import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import psList from 'ps-list';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asPid } from '../../app/process/identity.ts';
import { hasEnded } from '../../app/process/row.ts';
import { awakeAge } from '../../app/process/table.ts';
import { cutMark } from '../../main/os/linux/proc/command-texts.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';
import { eventually } from './eventually.ts';
import { isRootOfMachine } from './machine-facts.ts';
import { Children, running, stateLetter } from './process-source-children.ts';

const noPids = new Set<ReturnType<typeof asPid>>();
let children: Children;
let source: LinuxSource;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-source-'));
  children = new Children();
  source = new LinuxSource({ environmentNames: ['CLAUDECODE', 'CURFEW_KEEP'], uid: process.getuid?.() ?? 0 });
});

afterEach(async () => {
  await children.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const rowOf = (pid: number): ReturnType<LinuxSource['read']> => source.scan(noPids).rows.get(asPid(pid)) ?? null;

test('a row says what the process is', async () => {
  const pid = await running(children.start('sleep', ['1000'], { detached: true }).pid, 'sleep');
  const table = source.scan(noPids);
  const row = table.rows.get(pid);
  expect(row).toMatchObject({
    pid,
    ppid: process.pid,
    pgid: pid,
    sid: pid,
    tty: 0,
    state: 'S',
    uid: process.getuid?.(),
    comm: 'sleep',
    argv: ['sleep', '1000'],
    kernelThread: false,
  });
  expect(row?.rssBytes).toBeGreaterThan(0);
  expect(row?.startTicks).toBeLessThanOrEqual(table.nowTicks);
  expect(table.complete).toBe(true);
  expect(table.rows.has(asPid(process.pid))).toBe(true);
  expect(source.read(pid)).toEqual(row);
});

test('ps-list sees the same processes with the same parents and command lines', async () => {
  for (let i = 0; i < 5; i++) await running(children.start('sleep', [String(1000 + i)]).pid, 'sleep');
  const before = source.scan(noPids).rows;
  const oracle = await psList();
  const after = source.scan(noPids).rows;
  const stable = oracle.filter(({ pid }) => {
    const row = after.get(asPid(pid));
    return row !== undefined && row === before.get(asPid(pid));
  });
  expect(stable.length).toBeGreaterThanOrEqual(6);
  // ps prints unprintable characters as "?", and a kernel thread or zombie in brackets.
  const printable = stable.filter(({ pid }) => after.get(asPid(pid))?.argv.every((one) => /^[\x21-\x7e]+$/.test(one)));
  for (const { pid, ppid, cmd } of printable) {
    const row = after.get(asPid(pid));
    expect({ pid, ppid, cmd }).toEqual({ pid, ppid: row?.ppid, cmd: row?.argv.join(' ') });
  }
  expect(printable.length).toBeGreaterThanOrEqual(6);
});

test.each(['a) R 1 (b', 'x\n1 (y) S 1', ')))', 'two words'])('a process called %j', async (name) => {
  const program = join(folder, name);
  copyFileSync('/bin/sleep', program);
  const pid = await running(children.start(program, ['1000'], { argv0: name }).pid, name);
  expect(rowOf(pid)).toMatchObject({ pid, ppid: process.pid, comm: name, argv: [name, '1000'] });
});

test('invalid UTF-8 in names and arguments is replaced', async () => {
  const script = String.raw`symlink('/bin/sleep', "$ARGV[0]/n\xff\xfe") or die; exec {"$ARGV[0]/n\xff\xfe"} "a\xc3\x28", "1000"`;
  const { pid } = children.perl(script, [folder]);
  // In the middle of an exec a process has its new name and no arguments.
  await eventually(() => expect(rowOf(pid)).toMatchObject({ comm: 'n\ufffd\ufffd', argv: ['a\ufffd(', '1000'] }));
});

test('a title written over the arguments is one argument', async () => {
  const { child } = await children.perlTelling('$0 = "worker: idle"; print "ready\\n"; sleep 1000', ['a', 'b', 'c']);
  expect(rowOf(child.pid)?.argv).toEqual(['worker: idle']);
});

test('a command line beyond the bound is cut and says so', async () => {
  const words = Array.from({ length: 30 }, () => 'x'.repeat(10_000));
  const { child } = await children.perlTelling('print "ready\\n"; sleep 1000', words);
  const argv = rowOf(child.pid)?.argv ?? [];
  expect(argv.slice(0, 2)).toEqual(['perl', '-e']);
  expect(argv.at(-1)).toMatch(new RegExp(`^x+${cutMark.replace(/[()]/g, String.raw`\$&`)}$`));
  expect(argv.join('\0').length).toBeLessThan(270_000);
});

test('the longest single argument that Linux allows arrives whole', async () => {
  const longest = 'y'.repeat(131_071);
  const { child } = await children.perlTelling('print "ready\\n"; sleep 1000', [longest]);
  expect(rowOf(child.pid)?.argv.at(-1)).toBe(longest);
});

test('no wall clock makes a process older or younger', async () => {
  const from = process.hrtime.bigint();
  const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }), (wall) => {
        vi.setSystemTime(wall);
        const looking = new LinuxSource({ environmentNames: [], uid: process.getuid?.() ?? 0 });
        const table = looking.scan(noPids);
        const row = table.rows.get(pid);
        if (row === undefined) throw new Error(`${pid} is not in the table`);
        const lived = Number(process.hrtime.bigint() - from) / 1e9;
        // Starts and the present are told in hundredths.
        expect(awakeAge(table, row)).toBeLessThanOrEqual(lived + 0.02);
        expect(awakeAge(table, row)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 50 },
    );
  } finally {
    vi.useRealTimers();
  }
});

test('a zombie has ended, has no arguments and no environment', async () => {
  const { line } = await children.perlTelling('my $p = fork() // die; exit unless $p; print "$p\\n"; sleep 1000');
  const pid = asPid(Number(line));
  await eventually(() => expect(rowOf(pid)?.state).toBe('Z'));
  const row = rowOf(pid);
  expect(row && hasEnded(row)).toBe(true);
  expect(row?.argv).toEqual([]);
  expect(row && source.environment(row)).toBeNull();
});

test('a process whose first thread has ended is alive, with its arguments and environment', async () => {
  const exit = process.arch === 'arm64' ? 93 : 60;
  const script = `const koffi = require('koffi'); console.log('ready');
    koffi.load(null).func('syscall', 'long', ['long', 'long'])(${exit}, 0)`;
  const { child } = await children.startTelling(process.execPath, ['-e', script], {
    env: { ...process.env, CLAUDECODE: '1' },
    cwd: join(import.meta.dirname, '../..'),
  });
  await eventually(() => {
    const row = rowOf(child.pid);
    expect(row?.argv[1]).toBe('-e');
    // The kernel shows such a process as a zombie.
    expect(stateLetter(child.pid)).toBe('Z');
  });
  const row = rowOf(child.pid);
  expect(row && hasEnded(row)).toBe(false);
  // Without a first thread the kernel shows an environment only to root of the machine.
  expect(row && source.environment(row)).toEqual(isRootOfMachine ? { CLAUDECODE: '1' } : null);
});

test('an unchanged row is the same object, even when read again', async () => {
  const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
  const first = rowOf(pid);
  expect(rowOf(pid)).toBe(first);
  expect(source.scan(new Set([pid])).rows.get(pid)).toBe(first);
});

test('a process seen between fork and exec is read again until the exec is over', async () => {
  const script = '$| = 1; print "forked\\n"; <STDIN>; $ENV{CLAUDECODE} = 1; exec "sleep", "1000"';
  const { child } = await children.startTelling('perl', ['-e', script]);
  const before = rowOf(child.pid);
  expect(before?.comm).toBe('perl');
  expect(before && source.environment(before)).toEqual({});
  child.stdin?.end('\n');
  await eventually(() => expect(rowOf(child.pid)?.argv).toEqual(['sleep', '1000']));
  const after = rowOf(child.pid);
  expect(after?.startTicks).toBe(before?.startTicks);
  expect(after && source.environment(after)).toEqual({ CLAUDECODE: '1' });
});

test('read and readEnvironment bypass every cache', async () => {
  const script = '$| = 1; print "forked\\n"; <STDIN>; $ENV{CLAUDECODE} = 1; exec "sleep", "1000"';
  const { child } = await children.startTelling('perl', ['-e', script]);
  const before = rowOf(child.pid);
  expect(before && source.environment(before)).toEqual({});
  child.stdin?.end('\n');
  const pid = await running(child.pid, 'sleep');
  expect(source.read(pid)?.argv).toEqual(['sleep', '1000']);
  expect(source.readEnvironment(pid)).toEqual({ CLAUDECODE: '1' });
  await children.end(child);
  expect(source.read(pid)).toBeNull();
  expect(source.readEnvironment(pid)).toBeNull();
});

test('an environment beyond the bound is unknown: the rest may matter', async () => {
  const filler = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`FILLER_${i}`, 'z'.repeat(120_000)]));
  const options = { env: { PATH: process.env['PATH'], CLAUDECODE: '1', ...filler, CURFEW_KEEP: '1' } };
  const child = children.start('sleep', ['1000'], options);
  const row = source.read(await running(child.pid, 'sleep'));
  expect(row && source.environment(row)).toBeNull();
  expect(row && source.facts([row]).get(row.pid)).toMatchObject({ environment: null, hidden: 'rewritten' });
});

test('a recycled pid is noticed at the next scan, with nothing left of the earlier process', async () => {
  const options = { env: { PATH: process.env['PATH'], CLAUDECODE: '1' } };
  const child = children.start('sleep', ['1000'], options);
  const pid = await running(child.pid, 'sleep');
  const before = rowOf(pid);
  expect(before && source.environment(before)).toEqual({ CLAUDECODE: '1' });
  await children.end(child);
  // Starts a few, so that the recycled one is out of order.
  for (let i = 0; i < 20; i++) await once(children.start('true'), 'exit');
  source.scan(noPids);
  await children.recycle(pid, 'sleep', '1000');
  const after = rowOf(pid);
  expect(after?.startTicks).not.toBe(before?.startTicks);
  expect(after && source.environment(after)).toEqual({});
  expect(before && source.environment(before)).toBeNull();
  expect(before && source.facts([before]).size).toBe(0);
});

test('a pid recycled between two scans is noticed without a gap in the listing', async () => {
  const child = children.start('sleep', ['1000']);
  const pid = await running(child.pid, 'sleep');
  const before = rowOf(pid);
  await children.end(child);
  await children.recycle(pid, 'sleep', '1000');
  expect(rowOf(pid)?.startTicks).not.toBe(before?.startTicks);
});

test('a process that loses its parent has another one at the next scan', async () => {
  const { child, line } = await children.perlTelling(
    'my $p = fork() // die; if (!$p) { close STDOUT; sleep 1000; exit } print "$p\\n"; <STDIN>',
  );
  const pid = asPid(Number(line));
  expect(rowOf(pid)?.ppid).toBe(child.pid);
  const ended = once(child, 'exit');
  child.stdin?.end('\n');
  await ended;
  expect(rowOf(pid)?.ppid).toBe(1);
  process.kill(pid, 'SIGKILL');
});

test('a table full of short-lived processes never fails a scan', async () => {
  const { child } = await children.perlTelling(
    'print "ready\\n"; while (1) { my $p = fork() // next; if (!$p) { exec "true" if $$ % 2; exit } waitpid $p, 0 }',
  );
  const known = await running(children.start('sleep', ['1000']).pid, 'sleep');
  for (let i = 0; i < 60; i++) {
    const { rows } = source.scan(new Set([asPid(child.pid)]));
    expect(rows.has(known)).toBe(true);
    for (const row of rows.values()) source.environment(row);
    source.facts([...rows.values()].slice(-3));
  }
});
