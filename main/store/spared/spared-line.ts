import { jobIdPattern } from '../../../app/jobs/ledger/job-id.ts';
import type { Keep, SparedFact } from '../../../app/jobs/spared/spared.ts';
import { asJobId } from '../../../app/model/job.ts';
import { asRawObject, type RawObject } from '../../../app/settings/raw.ts';

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
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  const { boot, atTicks, fact: told } = asRawObject(raw) ?? {};
  const fact = factIn(asRawObject(told) ?? {});
  const isLine = typeof boot === 'string' && boot !== '' && isMoment(atTicks);
  return isLine && fact !== null ? { boot, atTicks, fact } : null;
};

export const writtenLine = (one: SparedLine): string => `${JSON.stringify(one)}\n`;
