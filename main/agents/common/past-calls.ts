export interface PastCallsAsked {
  readonly home: string;
  /** The owner of the files; others' are not read. */
  readonly uid: number;
  /** The moment around which the call ran: wall clock, milliseconds. */
  readonly atMs: number;
  /** Texts of which its output holds one. */
  readonly named: readonly string[];
}
