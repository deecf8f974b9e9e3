/** What is asked of every reader and signaller, in this order. */
export const askedParts = [
  'table',
  'parent',
  'groups',
  'name',
  'identity',
  'launched',
  'terminal',
  'arguments',
  'environment',
  'files',
  'connections',
  'channels',
  'wrong-signal',
  'signal',
] as const;

/** What a reader of processes must reproduce before it is believed, and that it could be asked. */
export const readerParts = ['start', ...askedParts] as const;

export type ReaderPart = (typeof readerParts)[number];

export interface CheckedPart {
  readonly part: ReaderPart;
  readonly ok: boolean;
  /** What was found instead, for the report; empty where it is as it should be. */
  readonly found: string;
}

export interface ReaderCheck {
  /** The name of the source: "libproc", "procfs", "ps". */
  readonly reader: string;
  readonly parts: readonly CheckedPart[];
}

/** The parts that failed. */
export const failedParts = ({ parts }: Pick<ReaderCheck, 'parts'>): readonly CheckedPart[] =>
  parts.filter(({ ok }) => !ok);

/** True where each part of today's list was reproduced: a check of an older list proves less. */
export const passes = ({ parts }: Pick<ReaderCheck, 'parts'>): boolean =>
  failedParts({ parts }).length === 0 && askedParts.every((asked) => parts.some(({ part }) => part === asked));

/** Parts of sending; all others are of reading. */
const sending: ReadonlySet<ReaderPart> = new Set(['signal', 'wrong-signal']);

/** True where everything that is read was reproduced. */
export const readsRight = (check: ReaderCheck): boolean =>
  check.parts.length > 0 && failedParts(check).every(({ part }) => sending.has(part));

/** How far this machine's processes may be believed. */
export interface Trust {
  /** Every check that was made, that of the reader in use last; empty where none was asked for. */
  readonly checks: readonly ReaderCheck[];
  /** Why nothing is ended automatically, for people; null where nothing speaks against it. */
  readonly unproved: string | null;
  /** The name of the reader in its place. Left out where the checked one is used. */
  readonly fallback?: string;
}
