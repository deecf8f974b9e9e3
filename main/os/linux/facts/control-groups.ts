import type { ControlGroups } from '../../../../app/process/facts.ts';
import type { ProcReader } from '../proc/proc-reader.ts';

/**
 * Returns the control groups in the text of /proc/PID/cgroup, path by hierarchy: "0::/user.slice"
 * is the unified one (key ""), "4:memory:/a" the hierarchy "memory", "9:name=systemd:/b" the named
 * one. A path may contain colons. https://man7.org/linux/man-pages/man7/cgroups.7.html
 */
export const controlGroupsIn = (text: string): ControlGroups => {
  const groups: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const match = /^\d+:(?<hierarchy>[^:]*):(?<path>\/.*)$/.exec(line)?.groups;
    if (match !== undefined) groups[match['hierarchy'] ?? ''] = match['path'] ?? '';
  }
  return groups;
};

/**
 * Returns the control groups of a process; null when they can't be read.
 * @throws ProcessTableUnreadable
 */
export const controlGroupsOf = (reader: ProcReader, pid: number | 'self'): ControlGroups | null => {
  const text = reader.readText(`/proc/${pid}/cgroup`, 65_536);
  return text === null ? null : controlGroupsIn(text);
};
