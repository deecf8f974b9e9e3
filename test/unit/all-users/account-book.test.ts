import { expect, test } from 'vitest';
import type { Account } from '../../../app/all-users/account.ts';
import { AccountBook } from '../../../main/all-users/account-book.ts';

const accountOf = (uid: number): Account => ({ uid, gid: uid, name: `user${uid}`, home: '/home/x', shell: '/bin/sh' });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A directory service that answers when the test says so. */
const staged = (): {
  readonly book: AccountBook;
  readonly asked: (readonly string[])[];
  readonly answer: (accounts: readonly Account[] | null) => Promise<void>;
  readonly learned: () => number;
} => {
  const asked: (readonly string[])[] = [];
  let waiting: (accounts: readonly Account[] | null) => void = () => undefined;
  let learned = 0;
  const book = new AccountBook(
    { names: [], minUid: 1000 },
    () => void (learned += 1),
    (keys) => {
      asked.push(keys);
      return new Promise((resolve) => (waiting = resolve));
    },
  );
  const answer = (accounts: readonly Account[] | null): Promise<void> => {
    waiting(accounts);
    return settled();
  };
  return { book, asked, answer, learned: () => learned };
};

test('a directory service that gives no answer holds up no look, and is asked once at a time', async () => {
  const { book, asked, answer, learned } = staged();
  expect(book.chosenAmong([0, 1001], 0).size).toBe(0);
  expect(book.chosenAmong([0, 1001, 1002], 5000).size).toBe(0);
  expect(asked).toEqual([['1001']]);
  await answer([accountOf(1001)]);
  expect(learned()).toBe(1);
  // A stranger is asked for; who is known stays so meanwhile, and without an answer.
  expect([...book.chosenAmong([1001, 1002], 10_000).keys()]).toEqual([1001]);
  expect(asked).toEqual([['1001'], ['1002']]);
  await answer(null);
  expect([...book.chosenAmong([1001], 20_000).keys()]).toEqual([1001]);
  expect(asked).toHaveLength(2);
});

test('an account that went is no longer chosen once all are asked for again; nothing is asked after the end', async () => {
  const { book, asked, answer } = staged();
  book.chosenAmong([1001, 1002], 0);
  await answer([accountOf(1001), accountOf(1002)]);
  const later = 6 * 60_000;
  expect(book.chosenAmong([1001, 1002], later).size).toBe(2);
  await answer([accountOf(1002)]);
  expect([...book.chosenAmong([1001, 1002], later).keys()]).toEqual([1002]);
  book.close();
  book.chosenAmong([1003], later);
  expect(asked).toHaveLength(2);
});

test('a user with thousands of ids that have no account keeps none from being found in a slow directory', async () => {
  // 25 ms for each, as over a network: what takes longer than 10 s is no answer.
  const slow = async (keys: readonly string[]): Promise<readonly Account[] | null> =>
    keys.length > 400 ? null : keys.filter((key) => key.length === 4).map((key) => accountOf(Number(key)));
  const book = new AccountBook({ names: [], minUid: 1000 }, () => undefined, slow);
  const owners = [...Array.from({ length: 1200 }, (_, at) => 100_000 + at), 1001];
  const found: number[] = [];
  for (let nowMs = 0; nowMs < 100 * 5000; nowMs += 5000) {
    found.push(...book.chosenAmong(owners, nowMs).keys());
    await settled();
  }
  expect(new Set(found)).toEqual(new Set([1001]));
});
