import { type Account, type UserChoice, isChosen, parseAccounts } from '../../app/all-users/account.ts';
import { exchange } from '../os/programs/exchange.ts';

/** Accounts are asked for again after this time, ms: they are changed by hand. */
const refreshMs = 5 * 60_000;

/** The same after no answer, ms. */
const retryMs = 30_000;

/** A directory service in another place may take a while. */
const timeoutMs = 10_000;

/** An answer of one call: 500 accounts with long names and homes. */
const maxBytes = 1024 * 1024;

/** Keys of one call, so that a machine with thousands of users gets no endless command line. */
const maxKeys = 500;

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

const inParts = (keys: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, index) =>
    keys.slice(index * maxKeys, (index + 1) * maxKeys),
  );

/** The supervised users' accounts. A silent directory holds up nothing: asked beside the loop. */
export class AccountBook {
  readonly #choice: UserChoice;
  readonly #learned: () => void;
  readonly #ask: typeof ask;
  /** Null: there is no such account. The first one of a uid counts, as for the C library. */
  #known: ReadonlyMap<number, Account | null> = new Map();
  #askedAtMs = Number.NEGATIVE_INFINITY;
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
        const account = this.#known.get(uid);
        return account !== undefined && account !== null && isChosen(account, this.#choice) ? [[uid, account]] : [];
      }),
    );
  }

  /** Asks no more. */
  close(): void {
    this.#over.abort();
  }

  async #askAbout(wanted: readonly number[], nowMs: number): Promise<void> {
    const { names } = this.#choice;
    const isRefresh = nowMs - this.#askedAtMs >= refreshMs;
    // By name once: with a list no other account is of interest.
    const uids = names.length > 0 ? [] : isRefresh ? wanted : wanted.filter((uid) => !this.#known.has(uid));
    const keys = names.length > 0 && isRefresh ? names : uids.map(String);
    if (keys.length === 0) return;
    this.#asking = true;
    const known = await this.#answerTo(
      keys,
      new Map([...(isRefresh ? [] : this.#known), ...uids.map((uid) => [uid, null] as const)]),
    );
    this.#asking = false;
    if (isRefresh) this.#askedAtMs = known === null ? nowMs - refreshMs + retryMs : nowMs;
    if (known === null) return;
    this.#known = known;
    this.#learned();
  }

  async #answerTo(keys: readonly string[], known: Map<number, Account | null>): Promise<typeof known | null> {
    for (const part of inParts(keys)) {
      const accounts = await this.#ask(part, this.#over.signal);
      if (accounts === null) return null;
      for (const account of accounts) if (known.get(account.uid) == null) known.set(account.uid, account);
    }
    return known;
  }
}
