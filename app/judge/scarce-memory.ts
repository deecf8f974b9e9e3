import type { Reason, Verdict } from './verdict.ts';

/** How scarce the machine's memory is. */
export interface MemoryState {
  /**
   * Share of the last 10 s in which a process waited for memory, percent (`some avg10`,
   * https://docs.kernel.org/accounting/psi.html).
   */
  readonly pressurePercent: number;
  /** Share of the swap that is used, percent; 0 without swap. */
  readonly swapPercent: number;
}

/** From this pressure on users notice the machine stall. */
const highPressure = 10;
/** Full swap and any pressure: next the kernel ends something of its own choice. */
const fullSwap = 90;
const anyPressure = 1;

/** Whether memory is so scarce that what is due goes at once. */
export const isScarce = ({ pressurePercent, swapPercent }: MemoryState): boolean =>
  pressurePercent >= highPressure || (swapPercent >= fullSwap && pressurePercent >= anyPressure);

/** Why the largest goes first. */
const reasonOf = ({ pressurePercent, swapPercent }: MemoryState): Reason => ({
  code: 'memory-scarce',
  figures: { pressurePercent: Math.round(pressurePercent), swapPercent: Math.round(swapPercent) },
});

/**
 * Adds that memory is scarce to the reasons of what ends by itself. Changes neither state nor
 * action: nothing becomes due for it.
 */
export const withScarcity = <Judged extends { readonly verdict: Verdict }>(
  judged: Judged,
  memory: MemoryState | null,
): Judged => {
  const { verdict } = judged;
  if (memory === null || (verdict.action !== 'reap' && verdict.announces !== true)) return judged;
  return { ...judged, verdict: { ...verdict, reasons: [...verdict.reasons, reasonOf(memory)] } };
};
