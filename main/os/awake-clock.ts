import { upSeconds } from './darwin/common/clock.ts';

/**
 * Returns monotonic seconds without suspended time. Only differences mean anything. Node's own
 * clock is CLOCK_MONOTONIC on Linux, which excludes sleep; on macOS it includes sleep, so that
 * another one is asked where that can be.
 */
export const awakeNowSeconds = (): number => upSeconds() ?? Number(process.hrtime.bigint()) / 1e9;
