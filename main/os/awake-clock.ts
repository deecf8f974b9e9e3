import { suspendedSeconds } from './darwin/suspended.ts';

/**
 * Returns seconds by a clock that nobody sets and that stands still while the machine is suspended. Only differences mean anything.
 * Node's own clock is CLOCK_MONOTONIC on Linux, which does; on macOS it counts sleep, which is taken off where it is known.
 */
export const awakeNowSeconds = (): number => {
  const seconds = Number(process.hrtime.bigint()) / 1e9;
  return process.platform === 'darwin' ? seconds - (suspendedSeconds() ?? 0) : seconds;
};
