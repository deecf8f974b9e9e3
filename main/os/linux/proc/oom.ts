import { codeOf } from '../../../../app/format/error-message.ts';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlGroups } from '../../../../app/process/facts.ts';
import type { ProcReader } from './proc-reader.ts';

/** The kernel cuts longer records (PRINTK_MESSAGE_MAX with its prefix). */
const recordBytes = 8_192;
/** More than the largest usual ring holds. */
const maxRecords = 50_000;

export interface OomVictim {
  readonly pid: number;
  /** Seconds since boot without suspended time, by the kernel's clock. */
  readonly atSeconds: number;
}

/**
 * Returns the victim in one record of /dev/kmsg, or null: `6,1234,567890,-;Out of memory: Killed
 * process 4711 (node) …`. Only the kernel's own records count (facility 0): any process with write
 * access can write the same words. https://docs.kernel.org/admin-guide/abi-testing.html (dev-kmsg)
 */
export const oomVictimIn = (record: string): OomVictim | null => {
  const [, priority = '', microseconds = '', text = ''] = /^(\d+),\d+,(\d+),[^;]*;([^\n]*)/u.exec(record) ?? [];
  if (priority === '' || Number(priority) >> 3 !== 0) return null;
  const pid = /^(?:Memory cgroup out|Out) of memory[^:]*: Killed process (\d+) /u.exec(text)?.[1];
  return pid === undefined ? null : { pid: Number(pid), atSeconds: Number(microseconds) / 1e6 };
};

/** Returns all victims in the kernel's log; null if unreadable (dmesg_restrict). Never blocks. */
const oomVictims = (): readonly OomVictim[] | null => {
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

/** The first pid namespace, as the log counts pids: PROC_PID_INIT_INO, linux/proc_ns.h. */
const firstPidNamespace = String(0xef_ff_ff_fc);

/** Drift in seconds between the clocks of namespace start times and the kernel's log. */
const toleranceSeconds = 5;

const countIn = (text: string | null): number | null => {
  const count = /^oom_kill (\d+)$/mu.exec(text ?? '')?.[1];
  return count === undefined ? null : Number(count);
};

/**
 * Returns how many processes of a control group the OOM killer has ended: `oom_kill` of
 * memory.events, in version 1 of memory.oom_control. Null if there is no counter.
 * https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files
 * @throws ProcessTableUnreadable
 */
export const oomKillsOf = (reader: ProcReader, cgroups: ControlGroups | null): number | null => {
  const files = [
    ['', '/sys/fs/cgroup', 'memory.events'],
    ['', '/sys/fs/cgroup/unified', 'memory.events'],
    ['memory', '/sys/fs/cgroup/memory', 'memory.oom_control'],
  ] as const;
  for (const [hierarchy, root, file] of files) {
    const path = cgroups?.[hierarchy];
    // The counter of the root group covers the whole machine and proves nothing.
    if (path === undefined || path === '/' || path.includes('/..')) continue;
    const count = countIn(reader.readText(join(root, path, file), 4_096));
    if (count !== null) return count;
  }
  return null;
};

/**
 * Returns which of these pids the OOM killer ended within the last seconds, from the kernel's log;
 * null if it can't be read or uses the pids of another namespace.
 */
export const oomKilledOf = (
  pidNamespace: string | null,
  pids: readonly number[],
  withinSeconds: number,
): number | null => {
  if (pidNamespace !== firstPidNamespace) return null;
  const nowSeconds = Number(process.hrtime.bigint()) / 1e9;
  const victims = oomVictims() ?? [];
  const found = victims.find(
    ({ pid, atSeconds }) => pids.includes(pid) && nowSeconds - atSeconds <= withinSeconds + toleranceSeconds,
  );
  return found?.pid ?? null;
};
