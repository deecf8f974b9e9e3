import { awakeSeconds, type ProcessTable } from '../../process/table.ts';
import { type FreeTime, maxIdleCpuMsPerSecond } from '../../model/server-state.ts';

/** What the processes of a detached helper did, as a look finds it. */
export interface HelperWork {
  /** Processor time of all up to this look, milliseconds. */
  readonly cpuMs: number;
  readonly processes: number;
  /**
   * Bytes that they moved since the look before, wake-ups included; null where that is not known:
   * others are there now, or one can't be read.
   */
  readonly movedBytes: number | null;
  /** More than wake-ups was moved, see `isWork`. */
  readonly moved: boolean;
}

/** Seconds between two looks above which nothing is known of the time in between. */
const maxGapSeconds = 60;

/** Seconds between two looks below which they tell no rate. */
const minGapSeconds = 0.5;

/**
 * What a look can't tell from none. Processor time comes in ticks of 10 ms a process. Eight
 * wake-ups are 64 bytes.
 */
const grain = { bytes: 64, cpuMsEach: 10 };

/** That often its lowest rate is still its idle rhythm: looks of 5 s vary by half (observed). */
const factor = 2;

/**
 * More than one wake-up a second hides a use. Idle, agent-browser moves 80 bytes a second, and
 * `open`, `click` and `get url` each 56 to 112 bytes and 1 to 2.6 ms (observed): it is never free.
 */
const maxIdleBytesPerSecond = 8;

const lower = (before: number | undefined, now: number): number => Math.min(before ?? Infinity, now);

/**
 * Returns the time without a client, at a look that sees none. A client that came and went between
 * two looks is not seen: looks that are far apart prove nothing, and what the helper did for it
 * shows in bytes and processor time above the lowest rate of its own.
 */
export const freeTime = (table: ProcessTable, before: FreeTime | undefined, work: HelperWork): FreeTime => {
  const { cpuMs, movedBytes: bytes } = work;
  const anew: FreeTime = { seconds: 0, atTicks: table.nowTicks, cpuMs };
  if (before?.cpuMs === undefined || bytes === null) return anew;
  const gap = awakeSeconds(table, before.atTicks);
  const idle = before.idle === undefined ? {} : { idle: before.idle };
  const usedMs = cpuMs - before.cpuMs;
  if (gap > maxGapSeconds || bytes < 0 || usedMs < 0) return { ...anew, ...idle };
  const grainMs = grain.cpuMsEach * work.processes;
  const rates =
    gap < minGapSeconds
      ? before.idle
      : {
          bytesPerSecond: lower(before.idle?.bytesPerSecond, (bytes + grain.bytes) / gap),
          cpuMsPerSecond: lower(before.idle?.cpuMsPerSecond, (usedMs + grainMs) / gap),
        };
  const now = rates === undefined ? anew : { ...anew, idle: rates };
  const maxBytes = Math.min(factor * (rates?.bytesPerSecond ?? 0), maxIdleBytesPerSecond) * gap + grain.bytes;
  const maxMs = Math.min(factor * (rates?.cpuMsPerSecond ?? 0), maxIdleCpuMsPerSecond) * gap + grainMs;
  const works = work.moved || bytes > maxBytes || usedMs > maxMs;
  return works ? now : { ...now, seconds: before.seconds + gap };
};

/** What is remembered of a helper to which a look saw a client: what it did was no idling. */
export const freeFromNow = ({ atTicks, cpuMs }: FreeTime): FreeTime => ({
  seconds: 0,
  atTicks,
  ...(cpuMs === undefined ? {} : { cpuMs }),
});
