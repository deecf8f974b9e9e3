import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';

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

/**
 * Returns the units in the bytes of /proc/self/auxv; for missing entries, the usual values of Linux
 * (4 KiB pages, 100 ticks). Never throws.
 */
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
