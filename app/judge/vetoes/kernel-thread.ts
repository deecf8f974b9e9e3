import { veto, type VetoRule } from '../veto-rule.ts';

/** Threads of the kernel, which hear no signal; pid 2 is their parent. */
export const kernelThread: VetoRule = (row) =>
  row.kernelThread ? veto('kernel-thread', row, { name: row.comm }) : null;
