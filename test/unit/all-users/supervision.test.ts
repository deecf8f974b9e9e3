import { describe, expect, test } from 'vitest';
import type { Account } from '../../../app/all-users/account.ts';
import { AllUsers, type AllUsersOptions, type UserEvent } from '../../../main/all-users/all-users.ts';
import type { UserChildEnd } from '../../../main/os/programs/user-child.ts';
import { machineOf } from '../jobs/machine.ts';

/** A child that does what a test says. */
class FakeChild {
  signs = false;
  asked = false;
  killed = false;
  abandoned = false;
  readonly pid: number;
  readonly end: (end: UserChildEnd) => void;
  readonly #mortal: boolean;

  constructor(pid: number, end: (end: UserChildEnd) => void, mortal: boolean) {
    this.pid = pid;
    this.end = end;
    this.#mortal = mortal;
  }

  askToEnd = (): void => {
    this.asked = true;
  };

  gaveSign = (): boolean => {
    const { signs } = this;
    this.signs = false;
    return signs;
  };

  kill = (): boolean => {
    this.killed = true;
    if (this.#mortal) queueMicrotask(() => this.end({ status: null, signal: 'SIGKILL' }));
    return true;
  };

  abandon = (): void => {
    this.abandoned = true;
  };
}

interface Stage {
  readonly users: AllUsers;
  readonly children: Map<number, FakeChild>;
  readonly events: UserEvent[];
  readonly groups: string[];
  readonly after: (ms: number) => void;
}

const accountOf = (uid: number): Account => ({ uid, gid: uid, name: `user${uid}`, home: '/home/x', shell: '/bin/sh' });

/** One process each of some users, and children that are started as told. */
const staged = (
  uids: readonly number[],
  {
    refuses = () => null,
    mortal = () => true,
    maxEndMs = 20,
  }: {
    readonly refuses?: (uid: number) => Error | null;
    readonly mortal?: (uid: number) => boolean;
    readonly maxEndMs?: number;
  } = {},
): Stage => {
  let nowMs = 0;
  const children = new Map<number, FakeChild>();
  const events: UserEvent[] = [];
  const groups: string[] = [];
  const start: NonNullable<AllUsersOptions['start']> = (_command, { uid }, _environment, group, onEnd) => {
    const refusal = refuses(uid);
    if (refusal !== null) throw refusal;
    expect(group).toBe(`/group/${uid}`);
    const child = new FakeChild(50_000 + uid, onEnd, mortal(uid));
    children.set(uid, child);
    return { ok: true, child };
  };
  const { table: scan } = machineOf(uids.map((uid, at) => ({ pid: 100 + at, uid, argv: 'bash' })));
  const users = new AllUsers({
    processes: { scan },
    choice: { names: [], minUid: 1000 },
    maxUsers: 50,
    command: ['curfew'],
    on: (event) => events.push(event),
    groups: {
      make: (uid) => {
        groups.push(`make ${uid}`);
        return `/group/${uid}`;
      },
      end: (uid) => void groups.push(`end ${uid}`),
    },
    now: () => nowMs,
    start,
    learned: () => undefined,
    book: {
      close: () => undefined,
      chosenAmong: (owners) => new Map([...owners].flatMap((uid) => (uid === 0 ? [] : [[uid, accountOf(uid)]]))),
    },
    maxSilentMs: 1000,
    maxEndMs,
  });
  return { users, children, events, groups, after: (ms) => void (nowMs += ms) };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the users of one service', () => {
  test('are guarded each for itself: one that can’t be started keeps no other waiting', () => {
    const { users, children, events } = staged([1001, 1002], {
      refuses: (uid) =>
        uid === 1001 ? Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }) : null,
    });
    users.look();
    expect([...children.keys()]).toEqual([1002]);
    expect(events).toMatchObject([
      { kind: 'not-started', account: { uid: 1001 }, problem: 'EACCES: permission denied', waitMs: 10_000 },
      { kind: 'started', account: { uid: 1002 } },
    ]);
  });

  test('whose child gives no sign of life are killed and started again later, and others go on', async () => {
    const { users, children, events, after } = staged([1001, 1002]);
    users.look();
    const [silent, lively] = [children.get(1001), children.get(1002)];
    after(600);
    if (lively !== undefined) lively.signs = true;
    users.look();
    after(600);
    users.look();
    await settled();
    expect([silent?.killed, lively?.killed]).toEqual([true, false]);
    expect(events.slice(2)).toMatchObject([
      { kind: 'silent', account: { uid: 1001 }, silentMs: 1200, killed: true },
      { kind: 'ended', account: { uid: 1001 }, why: 'failed', waitMs: 10_000 },
    ]);
    after(10_000);
    if (lively !== undefined) lively.signs = true;
    users.look();
    expect(children.get(1001)).not.toBe(silent);
    expect(children.get(1002)).toBe(lively);
  });

  test('have a control group each, which ends with the child', async () => {
    const { users, children, groups } = staged([1001]);
    users.look();
    children.get(1001)?.end({ status: 0, signal: null });
    await settled();
    expect(groups).toEqual(['make 1001', 'end 1001']);
  });

  test('keep no service from ending: what does not end is killed, and what can’t be killed is left', async () => {
    const { users, children, groups } = staged([1001, 1002, 1003], { mortal: (uid) => uid !== 1003 });
    users.look();
    const ending = users.end();
    children.get(1001)?.end({ status: 0, signal: null });
    await ending;
    const ends = [1001, 1002, 1003].map((uid) => {
      const { asked, killed, abandoned } = children.get(uid) ?? {};
      return { uid, asked, killed, abandoned };
    });
    expect(ends).toEqual([
      { uid: 1001, asked: true, killed: false, abandoned: false },
      { uid: 1002, asked: true, killed: true, abandoned: false },
      { uid: 1003, asked: true, killed: true, abandoned: true },
    ]);
    expect(groups).toContain('end 1003');
  });

  test('have no more time at the end because a look kept the service from hearing of it', async () => {
    const hourMs = 3_600_000;
    const { users, children, after } = staged([1001], { maxEndMs: hourMs });
    users.look();
    // The whole time went by within the look.
    after(hourMs);
    await users.end();
    expect(children.get(1001)).toMatchObject({ asked: true, killed: true });
  });
});
