import { asBootId, type BootId } from '../../../../app/process/identity.ts';
import { ProcessTableUnreadable } from '../../processes/source.ts';
import { kernelPid } from '../kernel/kernel.ts';
import { programFile } from '../kernel/paths.ts';
import type { KernelRow } from '../kernel/process-rows.ts';

/** The program that starts services, and that Wine has instead of a process of the kernel. */
const serviceProgram = 'services';

/** A boot, and when it began by the clock of start times. */
export interface Boot {
  readonly id: BootId;
  readonly ticks: number;
  /** It is the start of the kernel, when nothing had been awake yet. */
  readonly isOfKernel: boolean;
}

/**
 * Returns the boot: the start of the kernel's own process, or of what starts services.
 * @throws ProcessTableUnreadable where neither is in the table
 */
export const bootOf = (rows: readonly KernelRow[]): Boot => {
  const first =
    rows.find(({ pid }) => pid === kernelPid) ?? rows.find(({ image }) => programFile(image) === serviceProgram);
  if (first === undefined) throw new ProcessTableUnreadable('This machine does not identify its boots.');
  return { id: asBootId(`windows-${first.startTicks}`), ticks: first.startTicks, isOfKernel: first.pid === kernelPid };
};
