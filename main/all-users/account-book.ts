import { type Account, type UserChoice, isChosen, parseAccounts } from '../../app/all-users/account.ts';
import { exchange } from '../os/programs/exchange.ts';

/** Accounts are asked for again after this time, ms: they are changed by hand. */
const refreshMs = 5 * 60_000;

/** The same after no answer, ms. */
const retryMs = 30_000;

/** A directory service in another place may take a while. */
const timeoutMs = 10_000;

/** An answer of one call: accounts with long names and homes, by name thousands. */
const maxBytes = 1024 * 1024;

/**
 * Keys of one call. Any user can have 65,536 ids without an account (subuid(5)), each of which a
 * directory may search for a while.
 */
const maxKeys = 32;

/** After this time the rest is asked for at the next look, ms: what came since goes first. */
const maxRoundMs = 4_000;

/** getent(1): one or more of the keys are unknown. What is known is printed all the same. */
const someUnknown = 2;

/**
 * Asks the account database for keys (uids or names), or resolves with null if it gave no answer.
 * getent asks what the machine is set up with, LDAP included, and only by key: a directory of a
 * hundred thousand users is never listed.
 */
const ask = async (keys: readonly string[], signal: AbortSignal): Promise<readonly Account[] | null> => {
  try {
    const { answer, end } = await exchange({
      command: ['getent', 'passwd', ...keys],
      input: new Uint8Array(),
      environment: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
      timeoutMs,
      maxBytes,
      signal,
    });
    const answered = end.kind === 'exited' && (end.status === 0 || end.status === someUnknown);
    return answered ? parseAccounts(answer.toString('utf8')) : null;
  } catch {
    // Without a descriptor or memory to start it there is no answer either.
    return null;
  }
};

interface Known {
  /** Null: there is none, or no answer yet. The first one of a uid counts, as for the C library. */
  readonly account: Account | null;
  /** When it is asked for again. */
  readonly againMs: number;
}

/** The supervised users' accounts. A silent directory holds up nothing: asked beside the loop. */
export class AccountBook {
  readonly #choice: UserChoice;
  readonly #learned: () => void;
  readonly #ask: typeof ask;
  readonly #known = new Map<number, Known>();
  /** When the named ones are asked for again. */
  #namesAgainMs = Number.NEGATIVE_INFINITY;
  #asking = false;
  readonly #over = new AbortController();

  /**
   * @param learned is called after an answer that may say more than before
   * @param asking for tests
   */
  constructor(choice: UserChoice, learned: () => void, asking = ask) {
    this.#choice = choice;
    this.#learned = learned;
    this.#ask = asking;
  }

  /**
   * Returns the chosen accounts among the owners of processes, as far as they are known by now, and
   * asks for the others. Accounts that could not be asked for are as they were known before.
   * @param nowMs of a steady clock
   */
  chosenAmong(owners: Iterable<number>, nowMs: number): ReadonlyMap<number, Account> {
    const { names, minUid } = this.#choice;
    const wanted = [...owners].filter((uid) => names.length > 0 || (uid >= minUid && uid !== 0));
    if (!this.#asking && !this.#over.signal.aborted) void this.#askAbout(wanted, nowMs);
    return new Map(
      wanted.flatMap((uid) => {
        const account = this.#known.get(uid)?.account ?? null;
        return account !== null && isChosen(account, this.#choice) ? [[uid, account]] : [];
      }),
    );
  }

  /** Asks no more. */
  close(): void {
    this.#over.abort();
  }

  async #askAbout(wanted: readonly number[], nowMs: number): Promise<void> {
    const untilMs = performance.now() + maxRoundMs;
    let keys = this.#due(wanted, nowMs);
    if (keys.length === 0) return;
    this.#asking = true;
    let answered = false;
    while (keys.length > 0 && performance.now() < untilMs && !this.#over.signal.aborted) {
      const accounts = await this.#ask(keys.map(String), this.#over.signal);
      this.#note(keys, accounts, nowMs + (accounts === null ? retryMs : refreshMs));
      if (accounts === null) break;
      answered = true;
      keys = this.#due(wanted, nowMs);
    }
    this.#asking = false;
    if (answered) this.#learned();
  }

  /** What to ask for in one call: new ones first, then the oldest. Forgets who has gone. */
  #due(wanted: readonly number[], nowMs: number): readonly (number | string)[] {
    const { names } = this.#choice;
    // By name at once: with a list no other account is of interest.
    if (names.length > 0) return nowMs >= this.#namesAgainMs ? names : [];
    const againMs = (uid: number): number => this.#known.get(uid)?.againMs ?? Number.NEGATIVE_INFINITY;
    const here = new Set(wanted);
    for (const uid of this.#known.keys()) if (!here.has(uid) && againMs(uid) <= nowMs) this.#known.delete(uid);
    const due = wanted.filter((uid) => againMs(uid) <= nowMs);
    return due.toSorted((one, other) => againMs(one) - againMs(other) || 0).slice(0, maxKeys);
  }

  #note(keys: readonly (number | string)[], accounts: readonly Account[] | null, againMs: number): void {
    const isByName = this.#choice.names.length > 0;
    if (isByName) this.#namesAgainMs = againMs;
    if (isByName && accounts !== null) this.#known.clear();
    for (const uid of isByName ? [] : keys.map(Number))
      this.#known.set(uid, { account: accounts === null ? (this.#known.get(uid)?.account ?? null) : null, againMs });
    for (const account of accounts ?? [])
      if ((this.#known.get(account.uid)?.account ?? null) === null) this.#known.set(account.uid, { account, againMs });
  }
}
