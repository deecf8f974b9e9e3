import type { Finder } from './subject.ts';

/**
 * Share of the last minute in which something waited for memory, percent: Linux calls 10 % a delay
 * that users notice (https://docs.kernel.org/accounting/psi.html explains the measure; oomd's own
 * default for a group to be ended is 50 to 60 %).
 */
const scarce = 10;
/** From this share of all memory on a job is a reason for it. */
const large = 0.2;
/** Or from this much in swap, bytes. */
const muchSwap = 1_000_000_000;

/** Memory is scarce, and the job has much of it. */
export const findMemory: Finder = ({ members, probe }) => {
  const memory = probe?.memory ?? null;
  if (probe === null || memory === null || memory.pressurePercent < scarce) return null;
  const rssBytes = members.reduce((sum, { row }) => sum + row.rssBytes, 0);
  const swapBytes = [...probe.processes.values()].reduce((sum, one) => sum + (one.swapBytes ?? 0), 0);
  const share = memory.totalBytes === null || memory.totalBytes <= 0 ? 0 : (rssBytes + swapBytes) / memory.totalBytes;
  if (share < large && swapBytes < muchSwap) return null;
  return {
    code: 'memory-pressure',
    figures: {
      pressurePercent: Math.round(memory.pressurePercent),
      of: memory.of,
      rssBytes,
      swapBytes,
      sharePercent: Math.round(share * 100),
    },
  };
};
