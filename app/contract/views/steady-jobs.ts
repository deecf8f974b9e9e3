import type { SnapshotJob } from './snapshot.ts';

/** Moments that are worked out anew at each look from an age, and come out a few milliseconds apart. */
const workedOut: ReadonlySet<string> = new Set(['startedAt', 'silentSince', 'goneSince', 'at']);

/** Milliseconds that a moment may be off and still be the same one; more than that, and somebody set a clock. */
const jitterMs = 900;

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A sentence that says the same is the same: its figures only count on. */
const isStatement = (value: Fields): boolean => typeof value['text'] === 'string' && isFields(value['figures']);

/** What stands in the old list for an item of the new one: a process keeps its number, everything else its place. */
const counterpart = (old: readonly unknown[], item: unknown, place: number): unknown =>
  isFields(item) && !isStatement(item) && typeof item['pid'] === 'number'
    ? old.find((other) => isFields(other) && other['pid'] === item['pid'])
    : old[place];

/** Compares what a look found with what was known, as of a moment. */
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
    // What is due now is due at each look anew.
    const due = name === 'at' && oldMs <= this.#nowMs && nextMs <= this.#nowMs;
    return due || Math.abs(oldMs - nextMs) < jitterMs;
  }
}

/**
 * The jobs of a new look at a moment (milliseconds since the epoch), in which whatever only grew older keeps its old object. Nothing
 * that a window shows is lost: lengths of time are moments there, and a sentence with a length in it is another one as soon as it
 * would be said differently.
 */
export const steadyJobs = (old: readonly SnapshotJob[], next: readonly SnapshotJob[], nowMs: number): SnapshotJob[] => {
  const before = new Map(old.map((job) => [job.id, job]));
  const steadying = new Steadying(nowMs);
  return next.map((job) => {
    const known = before.get(job.id);
    return known === undefined ? job : (steadying.fields(known, job) as SnapshotJob);
  });
};
