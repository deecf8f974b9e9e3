import { once } from '../../format/once.ts';
import { asPid } from '../../process/identity.ts';
import { hasEnded, mayStillLive } from '../../process/row.ts';
import { awakeSeconds, type ProcessTable } from '../../process/table.ts';
import type { UserWitness, Witness } from '../lineage/witness.ts';
import type { JobId, Member } from '../../model/job.ts';
import type { ImageMark, LedgerEntry, ProcessRef } from '../ledger/ledger.ts';

/** A job's limit is put off, in its boot's time awake: no set clock shortens or lengthens it. */
export interface Keep {
  readonly fromTicks: number;
  readonly seconds: number;
  /** `session`: its own session asked for it, through `curfew mcp`. */
  readonly by: 'user' | 'session';
  /** The age in seconds to which it moves the hard cap of this one job; null: it doesn't. */
  readonly capSeconds: number | null;
}

/** One thing that spares processes, as it is written down. */
export type SparedFact =
  | { readonly kind: 'keep'; readonly job: JobId; readonly keep: Keep | null }
  /** The user said of this process of a job that it is theirs, or took that back. */
  | ({ readonly kind: 'mine'; readonly job: JobId; readonly mine: boolean } & ProcessRef)
  /** It was seen carrying `CURFEW_KEEP=1`. */
  | ({ readonly kind: 'carried' } & ImageMark)
  /** See `UserWitness` and `DoubtfulWitness`. */
  | ({ readonly kind: 'user' | 'doubtful'; readonly sid: number } & ProcessRef)
  | { readonly kind: 'ledger'; readonly identity: string }
  /** That ledger was lost: what began before this moment is not ended automatically. */
  | { readonly kind: 'lost' };

/** The moment at which something is said, in the boot that it is about: a table has both. */
export type Saying = Pick<ProcessTable, 'bootId' | 'nowTicks'>;

export interface Spared {
  readonly keeps: ReadonlyMap<JobId, Keep>;
  readonly mine: readonly (ProcessRef & { readonly job: JobId })[];
  readonly carried: readonly ImageMark[];
  readonly witnesses: readonly Witness[];
  /** See `SparedFact`; null: none was lost. Ticks. */
  readonly lostAtTicks: number | null;
}

export const nothingSpared: Spared = { keeps: new Map(), mine: [], carried: [], witnesses: [], lostAtTicks: null };

/** A fact as text, equal for facts of which the later one counts. */
export const factKey = (fact: SparedFact): string => {
  switch (fact.kind) {
    case 'keep':
      return `keep ${fact.job}`;
    case 'carried':
      return `carried ${fact.pid}:${fact.startTicks} ${fact.image ?? ''}`;
    case 'ledger':
    case 'lost':
      return fact.kind;
    default:
      return `${fact.kind} ${fact.pid}:${fact.startTicks}`;
  }
};

/** Gathers the facts of one boot. */
export const sparedOf = (facts: Iterable<{ readonly atTicks: number; readonly fact: SparedFact }>): Spared => {
  const keeps = new Map<JobId, Keep>();
  const mine: (ProcessRef & { readonly job: JobId })[] = [];
  const carried: ImageMark[] = [];
  const witnesses: Witness[] = [];
  let lostAtTicks: number | null = null;
  for (const { atTicks, fact } of facts) {
    if (fact.kind === 'keep') {
      if (fact.keep !== null) keeps.set(fact.job, fact.keep);
    } else if (fact.kind === 'mine') {
      if (fact.mine) mine.push({ pid: fact.pid, startTicks: fact.startTicks, job: fact.job });
    } else if (fact.kind === 'carried') {
      carried.push({ pid: fact.pid, startTicks: fact.startTicks, image: fact.image });
    } else if (fact.kind === 'user' || fact.kind === 'doubtful') {
      const { kind, pid, startTicks, sid } = fact;
      witnesses.push({ kind, pid, startTicks, sid });
    } else if (fact.kind === 'lost') lostAtTicks = atTicks;
  }
  return { keeps, mine, carried, witnesses, lostAtTicks };
};

/**
 * Returns what tells the facts that spare nothing any more: the process has ended, and so has
 * whatever shared its kernel session. A table that hides processes says nothing of ends. What the
 * user says is never over.
 */
export const isOver = ({
  rows,
  complete,
}: Pick<ProcessTable, 'rows' | 'complete'>): ((fact: SparedFact) => boolean) => {
  const sessions = once(
    () => new Set([...rows.values()].filter((row) => !hasEnded(row)).map(({ sid }) => Number(sid))),
  );
  return (fact) =>
    complete &&
    (fact.kind === 'carried' || fact.kind === 'user' || fact.kind === 'doubtful') &&
    !mayStillLive(rows.get(asPid(fact.pid)), fact) &&
    (fact.kind === 'carried' || !sessions().has(fact.sid));
};

/** What a look saw that spares processes, to be written down. */
export const sparedFacts = (
  entries: readonly Pick<LedgerEntry, 'keep'>[],
  witnesses: readonly Witness[],
): readonly SparedFact[] => [
  ...entries.flatMap(({ keep }) => (keep?.kept ?? []).map((mark) => ({ kind: 'carried', ...mark }) as const)),
  ...witnesses.flatMap((one) =>
    one.kind === 'user' || one.kind === 'doubtful'
      ? [{ kind: one.kind, pid: one.pid, startTicks: one.startTicks, sid: one.sid }]
      : [],
  ),
];

/** What the user said is theirs, as witnesses: what descends from it is the user's, too. */
export const mineWitnesses = ({ mine }: Spared, { rows }: Pick<ProcessTable, 'rows'>): readonly UserWitness[] =>
  mine.flatMap(({ pid, startTicks }) => {
    const row = rows.get(asPid(pid));
    return row?.startTicks === startTicks ? [{ kind: 'user', pid, startTicks, sid: row.sid } as const] : [];
  });

/** Leaves out what has a process that the user said is theirs. */
export const withoutMine = <Found extends { readonly members: readonly Member[] }>(
  found: readonly Found[],
  { mine }: Spared,
): readonly Found[] => {
  if (mine.length === 0) return found;
  const marks = new Set(mine.map(({ pid, startTicks }) => `${pid}:${startTicks}`));
  return found.filter(({ members }) => !members.some(({ row }) => marks.has(`${row.pid}:${row.startTicks}`)));
};

/**
 * Leaves out the witnesses that stand only for what the user said, which they may take back. What
 * such a process starts meanwhile stays the user's.
 */
export const withoutSaid = (witnesses: readonly Witness[], { mine }: Spared): readonly Witness[] =>
  mine.length === 0
    ? witnesses
    : witnesses.filter(
        (one) =>
          one.kind !== 'user' || !mine.some(({ pid, startTicks }) => one.pid === pid && one.startTicks === startTicks),
      );

/** Returns whether something began before Curfew's memory was lost. */
export const isForgotten = (
  { root, members }: { readonly root: ProcessRef; readonly members: readonly Member[] },
  { root: first }: Pick<LedgerEntry, 'root'>,
  lostAtTicks: number | null,
): boolean =>
  lostAtTicks !== null &&
  [root.startTicks, first.startTicks, ...members.map(({ row }) => row.startTicks)].some(
    (startTicks) => startTicks <= lostAtTicks,
  );

/** Seconds for which a keep still holds; 0: it is over. */
export const keptSeconds = (keep: Keep | undefined, table: Parameters<typeof awakeSeconds>[0]): number =>
  keep === undefined ? 0 : Math.max(0, keep.seconds - awakeSeconds(table, keep.fromTicks));
