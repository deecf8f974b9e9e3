import { parseAccounts, type Account } from '../../app/all-users/account.ts';
import { isChosen, type UserChoice } from '../../app/all-users/choice.ts';
import { runBounded } from '../os/programs/bounded-program.ts';

/** Accounts are asked for again after this time, ms: they are changed by hand. */
const refreshMs = 5 * 60_000;

/** The same after no answer, ms. */
const retryMs = 30_000;

/** A directory service in another place may take a while. */
const timeoutMs = 10_000;

/** Keys of one call, so that a machine with thousands of users gets no endless command line. */
const maxKeys = 500;

/** getent(1): one or more of the keys are unknown. What is known is printed all the same. */
const someUnknown = 2;

/**
 * Asks the account database for keys (uids or names), or returns null if it gave no answer. getent
 * asks what the machine is set up with, LDAP included, and only by key: a directory of a hundred
 * thousand users is never listed.
 */
const ask = (keys: readonly string[]): readonly Account[] | null => {
  const { status, stdout } = runBounded({
    command: ['getent', 'passwd', ...keys],
    environment: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    timeoutMs,
  });
  return status === 0 || status === someUnknown ? parseAccounts(stdout) : null;
};

const inParts = (keys: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, index) =>
    keys.slice(index * maxKeys, (index + 1) * maxKeys),
  );

/** The accounts of the users that are supervised. */
export class AccountBook {
  readonly #choice: UserChoice;
  /** Null: there is no such account. The first one of a uid counts, as for the C library. */
  #known = new Map<number, Account | null>();
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(choice: UserChoice) {
    this.#choice = choice;
  }

  /**
   * Returns the chosen accounts among the owners of processes. Accounts that could not be asked for
   * are as they were known before.
   * @param nowMs of a steady clock
   */
  chosenAmong(owners: Iterable<number>, nowMs: number): ReadonlyMap<number, Account> {
    const { names, minUid } = this.#choice;
    const wanted = [...owners].filter((uid) => names.length > 0 || (uid >= minUid && uid !== 0));
    const refresh = nowMs - this.#askedAtMs >= refreshMs;
    if (refresh) {
      // By name once: with a list no other account is of interest.
      const order = names.length > 0 ? { keys: names } : { keys: wanted.map(String), uids: wanted };
      this.#askedAtMs = this.#learn(order) ? nowMs : nowMs - refreshMs + retryMs;
    } else if (names.length === 0) {
      const strangers = wanted.filter((uid) => !this.#known.has(uid));
      if (strangers.length > 0) this.#learn({ keys: strangers.map(String), uids: strangers }, this.#known);
    }
    return new Map(
      wanted.flatMap((uid) => {
        const account = this.#known.get(uid);
        return account !== undefined && account !== null && isChosen(account, this.#choice) ? [[uid, account]] : [];
      }),
    );
  }

  #learn(
    { keys, uids = [] }: { readonly keys: readonly string[]; readonly uids?: readonly number[] },
    onto: ReadonlyMap<number, Account | null> = new Map(),
  ): boolean {
    const known = new Map(onto);
    for (const uid of uids) known.set(uid, null);
    for (const part of inParts(keys)) {
      const accounts = ask(part);
      if (accounts === null) return false;
      for (const account of accounts) if (known.get(account.uid) == null) known.set(account.uid, account);
    }
    this.#known = known;
    return true;
  }
}
