import { join } from 'node:path';
import type { ControlGroups } from '../../../../app/process/facts.ts';
import { oomVictims } from './kernel-log.ts';
import type { ProcReader } from './proc-reader.ts';

/**
 * The kernel's first pid namespace, whose pids its log uses: PROC_PID_INIT_INO of
 * include/linux/proc_ns.h.
 */
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
