import { factKey, sparedOf, type Saying, type Spared, type SparedFact } from '../../../app/jobs/spared/spared.ts';
import type { JobId } from '../../../app/model/job.ts';
import type { BootId } from '../../../app/process/identity.ts';
import { StoreFailure, storeProblemOf } from '../database/store-failure.ts';
import type { Notify } from '../database/store-notice.ts';
import { SparedCopy, supersedes } from './spared-copy.ts';
import type { SparedLine } from './spared-line.ts';

const name = 'The list of what is spared';
const meaning = 'What you keep may be forgotten with this process.';

/** The birth of a file ends its identity; see `birthOf`. */
const hasNoBirth = (identity: string): boolean => identity.endsWith(':');
const withoutBirth = (identity: string): string => identity.slice(0, identity.lastIndexOf(':'));

/** Where no birth was told before, any is right; where one was, only that. */
const isSameLedger = (before: string, now: string): boolean =>
  before === now || (hasNoBirth(before) && withoutBirth(before) === withoutBirth(now));

/**
 * What spares processes, by boot, in append-only files of its own: what the user keeps or said is
 * theirs, what was seen carrying `CURFEW_KEEP=1`, what was witnessed as the user's. There is more
 * than one copy, so that the loss of any one file forgets nothing: what one copy lacks is written
 * into it again. Works in memory where no copy can be used.
 */
export class SparedFile {
  readonly #copies: readonly { readonly path: string; readonly copy: SparedCopy }[];
  readonly #notify: Notify;
  readonly #known = new Map<string, Map<string, SparedLine>>();
  readonly #told = new Set<string>();

  /**
   * @param paths of the copies; none: everything is forgotten with this object
   * @param notify gets failures to use a copy, once each
   */
  constructor(paths: readonly string[], notify: Notify) {
    this.#copies = paths.map((path) => ({ path, copy: new SparedCopy(path) }));
    this.#notify = notify;
  }

  /** Returns what is spared in a boot, with what other processes have written. */
  of(boot: BootId): Spared {
    this.#read();
    return sparedOf(this.#known.get(boot)?.values() ?? []);
  }

  /**
   * Notes which ledger is in use, and returns what is spared. Another one than before in this boot,
   * or one that can't be read (null), means that it was lost.
   */
  meet(now: Saying, ledger: string | null): Spared {
    this.#read();
    const known = this.#known.get(now.bootId)?.get('ledger')?.fact;
    if (ledger === null) return { ...this.of(now.bootId), lostAtTicks: now.nowTicks };
    const isSame = known?.kind === 'ledger' && isSameLedger(known.identity, ledger);
    const isFuller = isSame && hasNoBirth(known.identity) && !hasNoBirth(ledger);
    if (!isSame || isFuller)
      this.note(now, [
        ...(known === undefined || isSame ? [] : [{ kind: 'lost' } as const]),
        { kind: 'ledger', identity: ledger },
      ]);
    return sparedOf(this.#known.get(now.bootId)?.values() ?? []);
  }

  /** Writes down what is not known yet. Never throws; what can't be written is tried again. */
  note(now: Saying, facts: readonly SparedFact[]): void {
    for (const fact of facts) {
      const known = this.#known.get(now.bootId)?.get(factKey(fact))?.fact;
      const isSaidAnew = fact.kind === 'ledger' || fact.kind === 'lost';
      if (known === undefined || isSaidAnew) this.#learn({ boot: now.bootId, atTicks: now.nowTicks, fact });
    }
    this.#write();
  }

  /**
   * Writes down what the user says.
   * @throws StoreFailure when no copy takes it; it still holds in this process
   */
  say(now: Saying, facts: readonly SparedFact[]): void {
    for (const fact of facts) {
      const before = this.#known.get(now.bootId)?.get(factKey(fact));
      // Two sayings of one look: the later one counts.
      const atTicks = before === undefined ? now.nowTicks : Math.max(now.nowTicks, before.atTicks + 1e-3);
      this.#learn({ boot: now.bootId, atTicks, fact });
    }
    const failure = this.#write();
    if (failure !== null) throw failure;
  }

  /** Takes back that a job is kept, or that its processes are the user's. Throws as `say` does. */
  takeBack(now: Saying, job: JobId): void {
    const mine = this.of(now.bootId).mine.filter((one) => one.job === job);
    this.say(now, [
      { kind: 'keep', job, keep: null },
      ...mine.map((one) => ({ kind: 'mine', ...one, mine: false }) as const),
    ]);
  }

  #learn(line: SparedLine): void {
    const known = this.#known.get(line.boot) ?? new Map<string, SparedLine>();
    this.#known.set(line.boot, known);
    const key = factKey(line.fact);
    if (supersedes(line, known.get(key))) known.set(key, line);
  }

  #read(): void {
    for (const { path, copy } of this.#copies) {
      try {
        for (const lines of copy.read().values()) for (const line of lines.values()) this.#learn(line);
      } catch (error) {
        this.#fail(path, error);
      }
    }
    this.#write();
  }

  /** Writes what each copy lacks. Returns why, where none could be written. */
  #write(): StoreFailure | null {
    let failure: StoreFailure | null = null;
    let isWritten = this.#copies.length === 0;
    for (const { path, copy } of this.#copies) {
      try {
        const there = copy.read();
        const lacking = [...this.#known].flatMap(([boot, lines]) =>
          [...lines].flatMap(([key, line]) => (supersedes(line, there.get(boot)?.get(key)) ? [line] : [])),
        );
        copy.append(lacking);
        isWritten = true;
      } catch (error) {
        failure = this.#fail(path, error);
      }
    }
    return isWritten ? null : failure;
  }

  #fail(path: string, error: unknown): StoreFailure {
    const problem = storeProblemOf(error);
    if (problem === null) throw error;
    const failure = new StoreFailure({ problem, path, name, meaning }, { cause: error });
    if (!this.#told.has(path)) this.#notify({ kind: 'in-memory', name, path, reason: failure.message });
    this.#told.add(path);
    return failure;
  }
}
