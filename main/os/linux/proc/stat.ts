import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import type { ProcessState } from '../../../../app/process/row.ts';

/** Entry types of https://man7.org/linux/man-pages/man3/getauxval.3.html. */
const pageSizeEntry = 6n;
const clockTicksEntry = 17n;

export interface KernelUnits {
  readonly pageBytes: number;
  /** USER_HZ, the unit of times in /proc/PID/stat; the kernel's own HZ differs. */
  readonly ticksPerSecond: number;
}

const usual: KernelUnits = { pageBytes: 4_096, ticksPerSecond: 100 };

const word = (bytes: Buffer, at: number, wide: boolean, littleEndian: boolean): bigint => {
  if (wide) return littleEndian ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at);
  return BigInt(littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
};

/** Returns /proc/self/auxv's units, or Linux's usual (4 KiB pages, 100 ticks). Never throws. */
export const unitsIn = (bytes: Buffer, wide: boolean, littleEndian: boolean): KernelUnits => {
  const size = wide ? 8 : 4;
  let { pageBytes, ticksPerSecond } = usual;
  for (let at = 0; at + 2 * size <= bytes.length; at += 2 * size) {
    const type = word(bytes, at, wide, littleEndian);
    const value = Number(word(bytes, at + size, wide, littleEndian));
    if (type === pageSizeEntry && value > 0) pageBytes = value;
    if (type === clockTicksEntry && value > 0) ticksPerSecond = value;
  }
  return { pageBytes, ticksPerSecond };
};

/** Reads the units of this machine. */
export const readKernelUnits = (): KernelUnits => {
  try {
    const wide = process.arch !== 'arm' && process.arch !== 'ia32';
    return unitsIn(readFileSync('/proc/self/auxv'), wide, endianness() === 'LE');
  } catch {
    return usual;
  }
};

/** The numbers of /proc/PID/stat that are used; reused for the next process. */
export class StatFields {
  /** Where the name starts and ends in the bytes. */
  nameStart = 0;
  nameEnd = 0;
  state: ProcessState = '?';
  ppid = 0;
  pgid = 0;
  sid = 0;
  tty = 0;
  flags = 0;
  /** User and system time including reaped children, in ticks. */
  cpuTicks = 0;
  threads = 0;
  /** The number is that of a thread, not of a process: see `readStat`. */
  isThread = false;
  startTicks = 0;
  rssPages = 0;
  /** Addresses of arguments, environment and stack; 0: hidden. They change with every exec. */
  stackStart = 0;
  argStart = 0;
  envStart = 0;
  envEnd = 0;
}

/** PF_KTHREAD (linux/sched.h), in field 9: tells kernel threads, where a name in brackets won't. */
const kernelThreadFlag = 0x0020_0000;

/** Returns whether the process is a kernel thread. */
export const isKernelThread = (fields: StatFields): boolean => Math.floor(fields.flags / kernelThreadFlag) % 2 === 1;

const openParenthesis = 0x28;
const closeParenthesis = 0x29;
const space = 0x20;

/** As in https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html; the state is field 3. */
const firstNumberField = 4;
const lastField = 51;

/** The numbers behind the state: at least to field 24; what follows field 51 is not looked at. */
const numbers = /^(?:-?\d+ ){47}-?\d+(?: |\n?$)|^(?:-?\d+ ){20,46}-?\d+[ \n]?$/u;

const letters: Readonly<Record<string, ProcessState>> = {
  R: 'R',
  S: 'S',
  D: 'D',
  T: 'T',
  t: 't',
  Z: 'Z',
  X: 'X',
  x: 'X',
  I: 'I',
};

/**
 * A thread-group leader that has ended before its other threads is shown as Z although the process
 * lives (https://man7.org/linux/man-pages/man3/pthread_exit.3.html); ps marks it "Zl". Taking it
 * for ended would make such an agent look gone. Its true state is that of its threads; sleeping
 * stands for it.
 */
const stateOf = (letter: string, threads: number): ProcessState =>
  letter === 'Z' && threads > 1 ? 'S' : (letters[letter] ?? '?');

/**
 * Parses one /proc/PID/stat. The name stands between the first "(" and the LAST ")" and may contain
 * anything, even ") R 1 (" and newlines; only numbers follow it. Returns false when the bytes are
 * no such line; `fields` is invalid then. Never throws. The supervisor runs without V8's optimizing
 * compilers: there, to go over the bytes one by one took five times as long, 0.1 % of a core.
 */
export const readStat = (bytes: Buffer, length: number, fields: StatFields): boolean => {
  const end = Math.min(length, bytes.length);
  const close = end === 0 ? -1 : bytes.lastIndexOf(closeParenthesis, end - 1);
  const open = bytes.indexOf(openParenthesis);
  if (open === -1 || open >= close || bytes[close + 1] !== space || bytes[close + 3] !== space) return false;
  const text = bytes.toString('latin1', close + 4, end);
  if (!numbers.test(text)) return false;
  const found = text.split(' ', lastField - firstNumberField + 1);
  const at = (field: number): number => Number(found[field - firstNumberField] ?? 0);
  fields.nameStart = open + 1;
  fields.nameEnd = close;
  fields.ppid = at(4);
  fields.pgid = at(5);
  fields.sid = at(6);
  fields.tty = at(7);
  fields.flags = at(9);
  fields.cpuTicks = at(14) + at(15) + at(16) + at(17);
  fields.threads = at(20);
  // The exit signal, which the kernel's own thread_group_leader asks (linux/sched/signal.h):
  // /proc/TID is not listed but can be read, and a signal to a thread's number hits its process.
  fields.isThread = at(38) < 0;
  fields.startTicks = at(22);
  fields.rssPages = at(24);
  fields.stackStart = at(28);
  fields.argStart = at(48);
  fields.envStart = at(50);
  fields.envEnd = at(51);
  fields.state = stateOf(String.fromCharCode(bytes[close + 2] as number), fields.threads);
  return true;
};
