import { closeSync, constants, openSync, readSync } from 'node:fs';

/** The kernel cuts longer records (PRINTK_MESSAGE_MAX with its prefix). */
const recordBytes = 8_192;
/** More than the largest usual ring holds. */
const maxRecords = 50_000;

/** A process that the OOM killer ended. */
export interface OomVictim {
  readonly pid: number;
  /** Seconds since boot without suspended time, by the kernel's clock. */
  readonly atSeconds: number;
}

/**
 * Returns the victim in one record of /dev/kmsg, `6,1234,567890,-;Out of memory: Killed process
 * 4711 (node) …`, or null. Only the kernel's own records count (facility 0): any process with write
 * access can write the same words. https://docs.kernel.org/admin-guide/abi-testing.html (dev-kmsg)
 */
export const oomVictimIn = (record: string): OomVictim | null => {
  const [, priority = '', microseconds = '', text = ''] = /^(\d+),\d+,(\d+),[^;]*;([^\n]*)/u.exec(record) ?? [];
  if (priority === '' || Number(priority) >> 3 !== 0) return null;
  const pid = /^(?:Memory cgroup out|Out) of memory[^:]*: Killed process (\d+) /u.exec(text)?.[1];
  return pid === undefined ? null : { pid: Number(pid), atSeconds: Number(microseconds) / 1e6 };
};

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

/**
 * Returns all victims in the kernel's log; null if it may not be read (kernel.dmesg_restrict,
 * containers). Never blocks.
 */
export const oomVictims = (): readonly OomVictim[] | null => {
  let fd: number;
  try {
    fd = openSync('/dev/kmsg', constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  const victims: OomVictim[] = [];
  const buffer = Buffer.alloc(recordBytes);
  try {
    for (let records = 0; records < maxRecords; records += 1) {
      try {
        const victim = oomVictimIn(buffer.toString('utf8', 0, readSync(fd, buffer)));
        if (victim !== null) victims.push(victim);
      } catch (error) {
        // EPIPE: the next record was overwritten; the next read continues behind it.
        if (codeOf(error) === 'EPIPE') continue;
        if (codeOf(error) === 'EAGAIN') return victims;
        return null;
      }
    }
    return victims;
  } finally {
    closeSync(fd);
  }
};
