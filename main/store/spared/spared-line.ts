import { parseJson } from '../../../app/format/json.ts';
import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import type { Keep, SparedFact } from '../../../app/jobs/spared/spared.ts';
import { asJobId } from '../../../app/model/job.ts';
import { type RawObject, asRawObject } from '../../../app/settings/raw.ts';

/** A fact of one boot, and when it was said in that boot. */
export interface SparedLine {
  readonly boot: string;
  readonly atTicks: number;
  readonly fact: SparedFact;
}

const isMoment = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < Infinity;
const isWhole = (value: unknown, min: number): value is number => Number.isSafeInteger(value) && Number(value) >= min;

const keepIn = ({ fromTicks, seconds, by, capSeconds }: RawObject): Keep | null => {
  if (!isMoment(fromTicks) || !isMoment(seconds) || (by !== 'user' && by !== 'session')) return null;
  return capSeconds === null || isMoment(capSeconds) ? { fromTicks, seconds, by, capSeconds } : null;
};

/** Read by hand: the schema of a line alone took 6 ms of processor time at each start. */
const factIn = ({ kind, job: id, keep, mine, pid, startTicks, image, sid, identity }: RawObject): SparedFact | null => {
  const job = typeof id === 'string' && jobIdPattern.test(id) ? asJobId(id) : null;
  const mark = isWhole(pid, 2) && isMoment(startTicks) ? { pid, startTicks } : null;
  switch (kind) {
    case 'keep': {
      const kept = keepIn(asRawObject(keep) ?? {});
      return job === null || (kept === null && keep !== null) ? null : { kind, job, keep: kept };
    }
    case 'mine':
      return job === null || mark === null || typeof mine !== 'boolean' ? null : { kind, job, mine, ...mark };
    case 'carried':
      return mark !== null && (image === null || typeof image === 'string') ? { kind, ...mark, image } : null;
    case 'user':
    case 'doubtful':
      return mark !== null && isWhole(sid, 0) ? { kind, ...mark, sid } : null;
    case 'ledger':
      return typeof identity === 'string' ? { kind, identity } : null;
    default:
      return kind === 'lost' ? { kind } : null;
  }
};

/** Returns a line of the file; null for one that is torn or damaged. */
export const parsedLine = (text: string): SparedLine | null => {
  const { boot, atTicks, fact: told } = asRawObject(parseJson(text)) ?? {};
  const fact = factIn(asRawObject(told) ?? {});
  const isLine = typeof boot === 'string' && boot !== '' && isMoment(atTicks);
  return isLine && fact !== null ? { boot, atTicks, fact } : null;
};

/** Returns a line as the file has it. */
export const writtenLine = (one: SparedLine): string => `${JSON.stringify(one)}\n`;

/** Whether a line counts in place of what is known of the same thing: it was said later. */
export const supersedes = (one: SparedLine, known: SparedLine | undefined): boolean =>
  known === undefined || one.atTicks > known.atTicks;

/** Whether of two sayings of one thing the first spares for less long, or not at all. */
export const sparesLess = (one: SparedFact, other: SparedFact): boolean => {
  if (one.kind === 'mine') return !one.mine && other.kind === 'mine' && other.mine;
  if (one.kind !== 'keep' || other.kind !== 'keep' || other.keep === null) return false;
  const { keep } = one;
  const { fromTicks, seconds, capSeconds, by } = other.keep;
  return (
    keep === null ||
    keep.fromTicks < fromTicks ||
    keep.seconds < seconds ||
    (keep.capSeconds ?? 0) < (capSeconds ?? 0) ||
    (by === 'user' && keep.by !== 'user')
  );
};
