import { kept } from '../../app/format/kept.ts';
import { claimsOf, programOf } from '../../app/agents/signatures.ts';
import type { Account, UserChoice } from '../../app/all-users/account.ts';
import { childEndOf } from '../../app/all-users/child-status.ts';
import {
  type ChildEnd,
  type SeenUser,
  type Turn,
  afterEnd,
  isDue,
  startOrder,
  withoutProcesses,
} from '../../app/all-users/turn.ts';
import { messageOf } from '../../app/format/error-message.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import type { UserGroups } from '../os/containment/user-groups.ts';
import { type UserChild, type UserChildEnd, type UserChildStart, startAsUser } from '../os/programs/user-child.ts';
import type { UsersProcesses } from '../os/users-processes.ts';
import { AccountBook } from './account-book.ts';

const path = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/**
 * Returns the whole environment of a user's child: that of a login without any file of the user,
 * and nothing of this process. A `CURFEW_HOME` or `NODE_OPTIONS` of root never reaches it. The
 * child finds its runtime folder itself: there the user may mount what refuses root, or lets it
 * wait for ever.
 */
const childEnvironment = ({ name, home, shell }: Account): Readonly<Record<string, string>> => ({
  HOME: home,
  USER: name,
  LOGNAME: name,
  SHELL: shell === '' ? '/bin/sh' : shell,
  PATH: path,
  LANG: 'C.UTF-8',
});

/** Rows are replaced when they change, so that each is asked once. */
const answers = new WeakMap<ProcessRow, boolean>();

/**
 * Returns whether a process names itself an agent or a tool shell of one. Any user can give a
 * process such a name: it costs that user a child of its own, and nothing is judged by it.
 */
const isOfAgent = (row: ProcessRow): boolean =>
  kept(answers, row, () => programOf(row) !== null || claimsOf(row, null).length > 0);

/**
 * Returns what each user runs.
 * @param isOurs true for processes of Curfew's own children, which count for no user
 */
const seenUsers = (
  { rows }: Pick<ProcessTable, 'rows'>,
  isOurs: (row: ProcessRow) => boolean,
): ReadonlyMap<number, SeenUser> => {
  const seen = new Map<number, { hasProcesses: true; agents: Set<string> }>();
  for (const row of rows.values()) {
    const { uid, pid, startTicks, state } = row;
    if (uid === null || state === 'Z' || isOurs(row)) continue;
    const user = seen.get(uid) ?? { hasProcesses: true, agents: new Set() };
    seen.set(uid, user);
    if (isOfAgent(row)) user.agents.add(`${pid}:${startTicks}`);
  }
  return seen;
};

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
  /** It gave no sign of life for too long. `killed` is false where the kernel refused. */
  | { readonly kind: 'silent'; readonly account: Account; readonly silentMs: number; readonly killed: boolean }
  /** This many users wait, because as many as allowed are supervised. */
  | { readonly kind: 'full'; readonly waiting: number };

export interface AllUsersOptions {
  readonly processes: Pick<UsersProcesses, 'scan'>;
  readonly choice: UserChoice;
  /** Upper bound of children at once. */
  readonly maxUsers: number;
  readonly command: readonly [string, ...string[]];
  readonly on: (event: UserEvent) => void;
  /** Is called when a look would see more users: their accounts are known by now. */
  readonly learned: () => void;
  /** A control group for each user; null where there is none to share out. */
  readonly groups: Pick<UserGroups, 'make' | 'end'> | null;
  /** Steady clock, ms. */
  readonly now?: () => number;
  /** How children are started, and who has which account; for tests. */
  readonly start?: typeof startAsUser;
  readonly book?: Pick<AccountBook, 'chosenAmong' | 'close'>;
  /** After this time without a sign of life a child is killed, ms. */
  readonly maxSilentMs?: number;
  /** At the end, a child that has not ended by itself after this time is killed, ms. */
  readonly maxEndMs?: number;
}

/** A child that runs gives a sign every 10 s, on a machine at its limits later. */
const maxSilentMs = 120_000;

/** The service ends within 10 s. At a load of 50 on two cores it hears and kills in 2 s. */
const maxEndMs = 7_000;

/** How long killed children are waited for, ms. What hangs in the kernel takes longer. */
const maxDeathMs = 1_000;

/** Children started by one look, so that a machine that has just booted is not flooded. */
const maxStartsALook = 4;

interface Watched {
  turn: Turn;
  account: Account;
  /** What the last look saw. */
  agents: ReadonlySet<string>;
  child: UserChild | null;
  /** When the child last gave a sign of life, or was started. */
  signMs: number;
  /** Since when it is due, for the order. */
  dueSinceMs: number | null;
}

/** Resolves with whether a promise was fulfilled within a time, ms. */
const within = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, ms, false);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
};

const nothing: SeenUser = { hasProcesses: false, agents: new Set() };

/**
 * One child for each user with something to watch, with that user's rights. This process decides by
 * names and owners alone and reads no file of a user. A child ends because its standard input
 * ended; only one that gives no sign of life, or does not end, is killed, and nothing else is
 * signalled.
 */
export class AllUsers {
  readonly #options: AllUsersOptions;
  readonly #book: Pick<AccountBook, 'chosenAmong' | 'close'>;
  readonly #now: () => number;
  readonly #users = new Map<number, Watched>();
  readonly #ends = new Set<Promise<void>>();
  /** When the look began during which a signal may have come; null: the loop was free since. */
  #busySinceMs: number | null = null;
  #ending = false;
  #wasFull = 0;

  constructor(options: AllUsersOptions) {
    this.#options = options;
    this.#book = options.book ?? new AccountBook(options.choice, options.learned);
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
    this.#busySinceMs ??= nowMs;
    // Signals are heard before immediates are called.
    setImmediate(() => (this.#busySinceMs = null));
    this.#killSilent(nowMs);
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

  /**
   * Asks every child to end, and resolves when all have. What they were ending is seen through
   * within a bound for all of them, from the beginning of a look that may have kept this from being
   * heard; then they are killed, all at once. What even that does not end is left behind.
   */
  async end(): Promise<void> {
    this.#ending = true;
    this.#book.close();
    for (const { child } of this.#users.values()) child?.askToEnd();
    const lateMs = this.#busySinceMs === null ? 0 : this.#now() - this.#busySinceMs;
    if (await within(this.#allEnded(), (this.#options.maxEndMs ?? maxEndMs) - lateMs)) return;
    for (const [uid, { child }] of this.#users) {
      if (child === null) continue;
      child.kill();
      this.#options.groups?.end(uid);
    }
    if (await within(this.#allEnded(), maxDeathMs)) return;
    for (const { child } of this.#users.values()) child?.abandon();
  }

  async #allEnded(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends);
  }

  #killSilent(nowMs: number): void {
    for (const user of this.#users.values()) {
      if (user.child === null) continue;
      if (user.child.gaveSign()) user.signMs = nowMs;
      const silentMs = nowMs - user.signMs;
      if (silentMs < (this.#options.maxSilentMs ?? maxSilentMs)) continue;
      const killed = user.child.kill();
      this.#options.on({ kind: 'silent', account: user.account, silentMs, killed });
      // What the kernel does not end is said again after the same time.
      user.signMs = nowMs;
    }
  }

  #meet(uid: number, account: Account): void {
    const known = this.#users.get(uid);
    if (known === undefined)
      this.#users.set(uid, {
        turn: { kind: 'absent' },
        account,
        agents: nothing.agents,
        child: null,
        signMs: 0,
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
    const start = this.#tryStart(account, (end) => {
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
    user.signMs = nowMs;
    this.#ends.add(promise);
    void promise.finally(() => this.#ends.delete(promise));
    this.#options.on({ kind: 'started', account, pid: start.child.pid });
  }

  /** Whatever goes wrong with one user is that user's alone. */
  #tryStart(account: Account, onEnd: (end: UserChildEnd) => void): UserChildStart {
    const { command, groups, start = startAsUser } = this.#options;
    try {
      return start(command, account, childEnvironment(account), groups?.make(account.uid) ?? null, onEnd);
    } catch (error) {
      return { ok: false, problem: messageOf(error) };
    }
  }

  #ended(user: Watched, end: UserChildEnd): void {
    const why = childEndOf(end.status);
    user.child = null;
    this.#options.groups?.end(user.account.uid);
    user.turn = afterEnd(user.turn, why, user.agents, this.#now());
    if (this.#ending && why !== 'failed') return;
    this.#options.on({ kind: 'ended', account: user.account, why, end, waitMs: this.#waitMs(user.turn) });
  }

  #waitMs(turn: Turn): number | null {
    return turn.kind === 'waiting' ? turn.untilMs - this.#now() : null;
  }
}
