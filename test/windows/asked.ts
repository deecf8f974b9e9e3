import { vetoesOfProcess } from '../../app/judge/vetoes/vetoes-of.ts';
import { asPid } from '../../app/process/identity.ts';
import { NativeSource } from '../../main/os/windows/native/source.ts';
import { contextOf } from '../unit/judge/vetoes/ask.ts';
import type { Simulated, SimulatedWindows } from './simulated-windows.ts';

/** Curfew's reader on a simulated Windows, whose user is number 0 to it. */
export const sourceOn = (
  kernel: SimulatedWindows,
  { pid: ownPid }: Pick<Simulated, 'pid'>,
  environmentNames: readonly string[] = ['CURFEW_KEEP'],
): NativeSource => new NativeSource({ kernel, environmentNames, uid: 0, ownPid, now: () => kernel.nowMs });

/**
 * The vetoes of a process, from the bytes of the kernel: by one look and one fresh reading of it.
 * Null where it is in no table, and so in no job.
 */
export const vetoesOn = (source: NativeSource, { pid }: Pick<Simulated, 'pid'>): readonly string[] | null => {
  const { rows } = source.scan(new Set());
  const row = source.read(asPid(pid));
  if (row === null || !rows.has(row.pid)) return null;
  const role = { isRoot: true, descendsFromRoot: false, toolShell: null };
  const context = contextOf({ rows, uid: 0, cgroups: null, pidNamespace: null });
  return vetoesOfProcess(row, source.facts([row]).get(pid) ?? null, role, context).map(({ code }) => code);
};
