/**
 * What is remembered of a job from look to look so that growth and standstill can be told: a few
 * numbers a diagnosis, however long it is watched. It lies in the ledger beside the job's activity,
 * so a restart of Curfew, and a second look of the command line, go on where the one before
 * stopped. Times are in the ticks of the process table.
 */
export interface Watch {
  /** Since when a process waits for the same thing without having run in between, by `waitKey`. */
  readonly waits: Readonly<Record<string, number>>;
  readonly spin: SpinWatch | null;
  readonly poll: PollWatch | null;
  readonly leak: LeakWatch | null;
  readonly flood: FloodWatch | null;
  /** Since when a child that has ended was seen uncollected, by process id and start. */
  readonly zombies: Readonly<Record<string, number>>;
  /** Since when a connection is known, by the inode of its socket. */
  readonly connections: Readonly<Record<string, number>>;
  /** How the memory of a process grew, by process id and start. */
  readonly growth: Readonly<Record<string, GrowthWatch>>;
}

/** A stretch of burning processor time in which nothing else changed. */
export interface SpinWatch {
  readonly sinceTicks: number;
  readonly cpuMs: number;
  readonly lastTicks: number;
  readonly lastCpuMs: number;
  /** How often its processes gave the processor away; null where the machine doesn't say. */
  readonly lastSwitches: number | null;
  /** Processor time of the first threads, milliseconds; null where the machine doesn't say. */
  readonly lastFirstMs: number | null;
  /** They never did meanwhile: whatever share it got, it wanted all. */
  readonly greedy: boolean;
  /** Everything that must not change meanwhile, as one text. */
  readonly still: string;
}

/** A stretch of asking again and again in which no output came. */
export interface PollWatch {
  readonly sinceTicks: number;
  readonly cpuMs: number;
  readonly outputBytes: number | null;
  /** The latest pause that was seen, and how many different ones. */
  readonly pause: string;
  readonly pauses: number;
  /** Bytes that its processes had written at the latest pause; null where that can't be seen. */
  readonly written: number | null;
  /** That became more from one pause to another. */
  readonly wrote: boolean;
}

/** A process whose descriptors only ever become more. */
export interface LeakWatch {
  readonly process: string;
  readonly sinceTicks: number;
  readonly first: number;
  readonly last: number;
  /** At the latest moment that counted. */
  readonly stepTicks: number;
  readonly stepCount: number;
  /** How many such moments in a row showed more than the one before. */
  readonly rises: number;
}

/** How an output file grew: measured between two moments that move along. */
export interface FloodWatch {
  readonly path: string;
  readonly fromTicks: number;
  readonly fromBytes: number;
  readonly stepTicks: number;
  readonly stepBytes: number;
  /** At the latest look: a file that shrinks was emptied, and is measured anew. */
  readonly lastBytes: number;
}

/** How the memory of a process grew: measured between two moments that move along. */
export interface GrowthWatch {
  readonly fromTicks: number;
  readonly fromBytes: number;
  readonly stepTicks: number;
  readonly stepBytes: number;
  /** The most that it took in a short time; null: never much. */
  readonly taken: { readonly bytes: number; readonly seconds: number } | null;
}

/** Nothing was seen yet. */
export const nothingWatched: Watch = {
  waits: {},
  spin: null,
  poll: null,
  leak: null,
  flood: null,
  zombies: {},
  connections: {},
  growth: {},
};

/** Waits, and connections, of a job that are followed. */
export const maxFollowed = 32;
