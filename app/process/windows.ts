/** What only Windows tells of a process, read with its row. */
export interface WindowsTraits {
  /** It has a console, seen or unseen; null: not known. */
  readonly console: boolean | null;
  /**
   * Which process started it can't be told: a part of the table could not be read, or its start
   * lies in the future, so that the clock was set back since.
   */
  readonly unsureParent: boolean;
}

/** What of a process Windows did not show. */
export type UnreadPart = 'memory' | 'program' | 'debugger';

/** What only Windows tells of a process, read with its facts. */
export interface WindowsFacts {
  readonly debugged: boolean;
  /** Empty where all of it was read. */
  readonly unread: readonly UnreadPart[];
}
