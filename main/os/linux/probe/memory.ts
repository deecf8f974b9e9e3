import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryProbe } from '../../../../app/diagnose/probe.ts';
import type { ControlGroups } from '../../../../app/process/facts.ts';
import type { ProcReader } from '../proc/proc-reader.ts';

/** Mount points of version 2, alone or beside version 1. */
const roots = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'];

/**
 * Returns the percentage of the last minute spent waiting, from a text such as `some avg10=0.00
 * avg60=1.25 …`, or null. https://docs.kernel.org/accounting/psi.html
 */
export const pressureIn = (text: string | null): number | null => {
  const share = /^some avg10=[\d.]+ avg60=([\d.]+) /mu.exec(text ?? '')?.[1];
  return share === undefined ? null : Number(share);
};

const totalIn = (meminfo: string | null): number | null => {
  const kilobytes = /^MemTotal:\s+(\d+) kB$/mu.exec(meminfo ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
};

const groupFolder = (cgroups: ControlGroups | null): string | null => {
  const path = cgroups?.[''];
  if (path === undefined || path === '/' || path.includes('/..')) return null;
  const root = roots.find((one) => existsSync(join(one, 'cgroup.controllers')));
  return root === undefined ? null : join(root, path);
};

const readGroup = (reader: ProcReader, folder: string): MemoryProbe | null => {
  const pressurePercent = pressureIn(reader.readText(join(folder, 'memory.pressure'), 1_024));
  if (pressurePercent === null) return null;
  const limit = Number(reader.readText(join(folder, 'memory.max'), 64)?.trim());
  return { pressurePercent, of: folder, totalBytes: Number.isSafeInteger(limit) && limit > 0 ? limit : null };
};

/**
 * Returns the memory pressure of a job: of its own control group if that is limited and under more
 * pressure than the machine, else of the machine. Null if the kernel doesn't measure it (before
 * 4.20, or without CONFIG_PSI).
 * @throws ProcessTableUnreadable
 */
export const readMemory = (reader: ProcReader, cgroups: ControlGroups | null): MemoryProbe | null => {
  const pressurePercent = pressureIn(reader.readText('/proc/pressure/memory', 1_024));
  const folder = groupFolder(cgroups);
  const group = folder === null ? null : readGroup(reader, folder);
  if (group !== null && group.totalBytes !== null && group.pressurePercent > (pressurePercent ?? 0)) return group;
  if (pressurePercent === null) return null;
  return { pressurePercent, of: 'machine', totalBytes: totalIn(reader.readText('/proc/meminfo', 8_192)) };
};
