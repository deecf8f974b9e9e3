import { suspendedSeconds } from './darwin/common/suspended.ts';

/**
 * Returns monotonic seconds without suspended time. Only differences mean anything. Node's own
 * clock is CLOCK_MONOTONIC on Linux, which excludes sleep; on macOS it includes sleep, which is
 * subtracted where it is known.
 */
export const awakeNowSeconds = (): number => {
  const seconds = Number(process.hrtime.bigint()) / 1e9;
  return process.platform === 'darwin' ? seconds - (suspendedSeconds() ?? 0) : seconds;
};
