import type { Account } from '../../app/all-users/account.ts';
import { childEndOf } from '../../app/all-users/child-status.ts';
import type { UserChoice } from '../../app/all-users/choice.ts';
import {
  afterEnd,
  isDue,
  startOrder,
  withoutProcesses,
  type ChildEnd,
  type SeenUser,
  type Turn,
} from '../../app/all-users/turn.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { startAsUser, type UserChild, type UserChildEnd } from '../os/programs/user-child.ts';
import type { UsersProcesses } from '../os/users-processes.ts';
import { AccountBook } from './account-book.ts';
import { childEnvironment } from './child-environment.ts';
import { seenUsers } from './seen-users.ts';

/** What became of the supervision of a user. */
export type UserEvent =
  | { readonly kind: 'started'; readonly account: Account; readonly pid: number }
  | { readonly kind: 'not-started'; readonly account: Account; readonly problem: string; readonly waitMs: number }
  | {
      readonly kind: 'ended';
      readonly account: Account;
      readonly why: ChildEnd;
      readonly end: UserChildEnd;
      /** Milliseconds until the next try; null: when there is something to watch. */
      readonly waitMs: number | null;
    }
  /** This many users wait, because as many as allowed are supervised. */
  | { readonly kind: 'full'; readonly waiting: number };

/** What all users are supervised with. */
export interface AllUsersOptions {
  readonly processes: Pick<UsersProcesses, 'scan'>;
  readonly choice: UserChoice;
  /** Upper bound of children at once. */
  readonly maxUsers: number;
  /** The command of a child. */
  readonly command: readonly [string, ...string[]];
  readonly on: (event: UserEvent) => void;
  /** Steady clock, ms. */
  readonly now?: () => number;
}

/** Children started by one look, so that a machine that has just booted is not flooded. */
const maxStartsALook = 4;

interface Watched {
  turn: Turn;
  account: Account;
  /** What the last look saw. */
  agents: ReadonlySet<string>;
  child: UserChild | null;
  /** Since when it is due, for the order. */
  dueSinceMs: number | null;
}

const nothing: SeenUser = { hasProcesses: false, agents: new Set() };

/**
 * One child for each user with something to watch, with that user's rights. This process decides by
 * names and owners alone, reads no file of a user, and signals nothing: a child ends because its
 * standard input ended.
 */
export class AllUsers {
  readonly #options: AllUsersOptions;
  readonly #book: AccountBook;
  readonly #now: () => number;
  readonly #users = new Map<number, Watched>();
  readonly #ends = new Set<Promise<void>>();
  #ending = false;
  #wasFull = 0;

  constructor(options: AllUsersOptions) {
    this.#options = options;
    this.#book = new AccountBook(options.choice);
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Looks once: starts children for users with something to watch, and asks those of users that are
   * no longer chosen to end.
   * @throws ProcessTableUnreadable; no child is touched then
   */
  look(): void {
    if (this.#ending) return;
    const nowMs = this.#now();
    const table = this.#options.processes.scan();
    const children = new Set([...this.#users.values()].flatMap(({ child }) => (child === null ? [] : [child.pid])));
    const isOurs = (row: ProcessRow): boolean => children.has(row.pid) || children.has(row.sid);
    const seen = seenUsers(table, isOurs);
    const supervised = [...this.#users].flatMap(([uid, { child }]) => (child === null ? [] : [uid]));
    const accounts = this.#book.chosenAmong(new Set([...seen.keys(), ...supervised]), nowMs);
    for (const [uid, account] of accounts) this.#meet(uid, account);
    for (const [uid, user] of this.#users) {
      if (!accounts.has(uid)) user.child?.askToEnd();
      this.#note(uid, accounts.has(uid) ? (seen.get(uid) ?? nothing) : nothing, nowMs);
    }
    this.#startDue(nowMs);
  }

  /** Asks every child to end, and resolves when all have. What they were ending is seen through. */
  async end(): Promise<void> {
    this.#ending = true;
    for (const { child } of this.#users.values()) child?.askToEnd();
    while (this.#ends.size > 0) await Promise.all(this.#ends);
  }

  #meet(uid: number, account: Account): void {
    const known = this.#users.get(uid);
    if (known === undefined)
      this.#users.set(uid, {
        turn: { kind: 'absent' },
        account,
        agents: nothing.agents,
        child: null,
        dueSinceMs: null,
      });
    else known.account = account;
  }

  #note(uid: number, seen: SeenUser, nowMs: number): void {
    const user = this.#users.get(uid);
    if (user === undefined) return;
    user.agents = seen.agents;
    if (!seen.hasProcesses) user.turn = withoutProcesses(user.turn);
    user.dueSinceMs = isDue(user.turn, seen, nowMs) ? (user.dueSinceMs ?? nowMs) : null;
    const { turn } = user;
    // Nothing of this user is worth remembering.
    if (turn.kind === 'absent' && user.dueSinceMs === null) this.#users.delete(uid);
    else if (turn.kind === 'waiting' && !seen.hasProcesses && nowMs >= turn.untilMs) this.#users.delete(uid);
  }

  #startDue(nowMs: number): void {
    const { maxUsers, on } = this.#options;
    const due = [...this.#users].flatMap(([uid, { dueSinceMs, agents }]) =>
      dueSinceMs === null ? [] : [{ uid, hasAgents: agents.size > 0, sinceMs: dueSinceMs }],
    );
    const running = [...this.#users.values()].filter(({ child }) => child !== null).length;
    const room = maxUsers - running;
    for (const uid of startOrder(due, Math.min(room, maxStartsALook))) this.#start(uid, nowMs);
    const waiting = Math.max(0, due.length - Math.max(0, room));
    if (waiting > this.#wasFull) on({ kind: 'full', waiting });
    this.#wasFull = waiting;
  }

  #start(uid: number, nowMs: number): void {
    const user = this.#users.get(uid);
    if (user === undefined) return;
    const { account } = user;
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = user.turn;
    const failures = before.kind === 'waiting' ? before.failures : 0;
    const running: Turn = { kind: 'running', sinceMs: nowMs, failures };
    const start = startAsUser(this.#options.command, account, childEnvironment(account), (end) => {
      this.#ended(user, end);
      resolve();
    });
    user.dueSinceMs = null;
    if (!start.ok) {
      user.turn = afterEnd(running, 'failed', user.agents, nowMs);
      this.#options.on({ kind: 'not-started', account, problem: start.problem, waitMs: this.#waitMs(user.turn) ?? 0 });
      return;
    }
    user.turn = running;
    user.child = start.child;
    this.#ends.add(promise);
    void promise.finally(() => this.#ends.delete(promise));
    this.#options.on({ kind: 'started', account, pid: start.child.pid });
  }

  #ended(user: Watched, end: UserChildEnd): void {
    const why = childEndOf(end.status);
    user.child = null;
    user.turn = afterEnd(user.turn, why, user.agents, this.#now());
    if (this.#ending && why !== 'failed') return;
    this.#options.on({ kind: 'ended', account: user.account, why, end, waitMs: this.#waitMs(user.turn) });
  }

  #waitMs(turn: Turn): number | null {
    return turn.kind === 'waiting' ? turn.untilMs - this.#now() : null;
  }
}
