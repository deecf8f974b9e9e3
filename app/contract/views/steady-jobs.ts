import type { SnapshotJob } from './snapshot.ts';

/** Moments that each scan derives from an age, and that vary by a few milliseconds. */
const workedOut: ReadonlySet<string> = new Set(['startedAt', 'silentSince', 'goneSince', 'keptUntil', 'at', 'endsAt']);

/** Milliseconds that the same moment may differ by; more means that a clock was set. */
const jitterMs = 900;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A statement with the same code and place is unchanged: its figures only count on. */
const isStatement = (value: Fields): boolean => typeof value['text'] === 'string' && isFields(value['figures']);

/** Finds an item's counterpart in the old list: a process by its pid, all else by its place. */
const counterpart = (old: readonly unknown[], item: unknown, place: number): unknown =>
  isFields(item) && !isStatement(item) && typeof item['pid'] === 'number'
    ? old.find((other) => isFields(other) && other['pid'] === item['pid'])
    : old[place];

/** Merges a new scan with known values, as of a moment. */
class Steadying {
  readonly #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  value(old: unknown, next: unknown, name: string): unknown {
    if (Array.isArray(old) && Array.isArray(next)) return this.#list(old, next);
    if (isFields(old) && isFields(next)) return this.fields(old, next);
    const known = workedOut.has(name) && typeof old === 'string' && typeof next === 'string';
    return known && this.#sameMoment(Date.parse(old), Date.parse(next), name) ? old : next;
  }

  fields(old: Fields, next: Fields): Fields {
    const names = Object.keys(next);
    const passed = isStatement(old) && isStatement(next) ? 'figures' : null;
    const fields = Object.fromEntries(
      names.map((name) => [name, name === passed ? next[name] : this.value(old[name], next[name], name)]),
    );
    return names.length === Object.keys(old).length &&
      names.every((name) => name === passed || (Object.hasOwn(old, name) && Object.is(old[name], fields[name])))
      ? old
      : fields;
  }

  #list(old: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
    const items = next.map((item, place) => this.value(counterpart(old, item, place), item, ''));
    return old.length === items.length && items.every((item, place) => item === old[place]) ? old : items;
  }

  #sameMoment(oldMs: number, nextMs: number, name: string): boolean {
    // What is due now is due anew at each scan.
    const due = (name === 'at' || name === 'endsAt') && oldMs <= this.#nowMs && nextMs <= this.#nowMs;
    return due || Math.abs(oldMs - nextMs) < jitterMs;
  }
}

/**
 * Returns the jobs of a new scan (at epoch milliseconds), with the old object for each job that
 * only grew older. Windows lose nothing: durations are moments there, and a sentence with a
 * duration changes as soon as its wording would.
 */
export const steadyJobs = (old: readonly SnapshotJob[], next: readonly SnapshotJob[], nowMs: number): SnapshotJob[] => {
  const before = new Map(old.map((job) => [job.id, job]));
  const steadying = new Steadying(nowMs);
  return next.map((job) => {
    const known = before.get(job.id);
    return known === undefined ? job : (steadying.fields(known, job) as SnapshotJob);
  });
};
