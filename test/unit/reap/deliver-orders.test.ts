import { describe, expect, test } from 'vitest';
import type { Order } from '../../../app/reap/target.ts';
import type { ProcessHandle } from '../../../main/os/processes/signaller.ts';
import { deliverAction, type Hands } from '../../../main/reaping/deliver-orders.ts';
import { target } from './targets.ts';

const leader = target(10, 10);
const child = target(11, 10);
const group: Order = { to: 'group', leader: leader.key, pgid: 10, members: [leader, child] };

/** Hands that hold every process and confirm it, and what was sent with them. */
const handsThat = (differ: Partial<Hands>): { readonly hands: Hands; readonly sent: string[] } => {
  const sent: string[] = [];
  const hold: Hands['hold'] = ({ pid }) =>
    ({
      send: (signal) => {
        sent.push(`${signal} ${pid}`);
        return 'sent';
      },
      sendToGroup: (signal) => {
        sent.push(`group ${signal} ${pid}`);
        return 'sent';
      },
    }) as Partial<ProcessHandle> as ProcessHandle;
  const hands: Hands = {
    hold,
    release: () => undefined,
    confirm: () => ({ kind: 'confirmed' }),
    confirmGroup: ({ members }) => members.map(({ pid }) => pid),
    now: () => 0,
    ...differ,
  };
  return { hands, sent };
};

const terminate = { kind: 'signal', signal: 'TERM', orders: [group], resume: [] } as const;

describe('a group', () => {
  test('of which every member was confirmed hears the signal as one', () => {
    const { hands, sent } = handsThat({ confirmGroup: () => [10, 11, 12] });
    expect(deliverAction(hands, terminate).records).toMatchObject([{ target: 'group 10', pids: [10, 11, 12] }]);
    expect(sent).toEqual(['group TERM 10']);
  });

  test('that may have a member which was not judged is signalled one by one, and only confirmed members hear it', () => {
    const { hands, sent } = handsThat({
      confirmGroup: () => null,
      confirm: ({ pid }) => (pid === 11 ? { kind: 'vetoed', why: 'it is a terminal' } : { kind: 'confirmed' }),
    });
    const results = deliverAction(hands, terminate).records.map(({ pids, result, note }) => [...pids, result, note]);
    expect(results).toEqual([
      [10, 'sent', null],
      [11, 'vetoed', 'it is a terminal'],
    ]);
    expect(sent).toEqual(['TERM 10']);
  });
});

test('a process that can’t be read hears nothing and is recorded as such; the others hear theirs', () => {
  const { hands, sent } = handsThat({
    confirmGroup: () => {
      throw new Error('no descriptors');
    },
    confirm: ({ pid }) => {
      if (pid === 10) throw new Error('no descriptors');
      return { kind: 'confirmed' };
    },
  });
  expect(deliverAction(hands, terminate).records).toMatchObject([
    { pids: [10], result: 'refused', note: 'no descriptors' },
    { pids: [11], result: 'sent' },
  ]);
  expect(sent).toEqual(['TERM 11']);
});

test('a process that is gone when it is to be held hears nothing', () => {
  const { hands, sent } = handsThat({ hold: () => null });
  expect(deliverAction(hands, terminate).records.map(({ result }) => result)).toEqual(['gone', 'gone']);
  expect(sent).toEqual([]);
});

describe('one process', () => {
  const one: Order = { to: 'process', target: child };
  const sentTo = (differ: Partial<Hands>) => {
    const released: number[] = [];
    const { hands, sent } = handsThat({
      hold: ({ pid }) => ({ send: () => 'sent', identity: { pid } }) as unknown as ProcessHandle,
      release: ({ identity }) => void released.push(identity.pid),
      ...differ,
    });
    const { records, unanswered } = deliverAction(hands, { ...terminate, orders: [one] });
    return { records, unanswered, sent, released };
  };

  test('is recorded by its name and released', () => {
    const { records, released, unanswered } = sentTo({});
    expect(records).toEqual([
      { atMs: 0, signal: 'TERM', target: 'process 11', pids: [11], result: 'sent', note: null },
    ]);
    expect(released).toEqual([11]);
    expect(unanswered).toBeNull();
  });

  test('that is another one by now hears nothing and is released', () => {
    const { records, released } = sentTo({ confirm: () => ({ kind: 'gone' }) });
    expect(records).toMatchObject([{ result: 'gone', note: null }]);
    expect(released).toEqual([11]);
  });

  test('that the system does not let this user signal is recorded so', () => {
    const refusing = { send: () => 'refused', identity: { pid: 11 } } as unknown as ProcessHandle;
    expect(sentTo({ hold: () => refusing }).records).toMatchObject([
      { result: 'refused', note: 'the system does not let this user signal it' },
    ]);
  });

  test('that can’t be confirmed is released', () => {
    const { records, released } = sentTo({
      confirm: () => {
        throw new Error('unreadable');
      },
    });
    expect(records).toMatchObject([{ result: 'refused', note: 'unreadable' }]);
    expect(released).toEqual([11]);
  });
});

test('a group is released, whether it was signalled or not; stopped targets hear CONT after the signal', () => {
  for (const reached of [[10, 11], null]) {
    const released: number[] = [];
    const { hands, sent } = handsThat({ confirmGroup: () => reached, release: () => void released.push(1) });
    deliverAction(hands, { ...terminate, resume: [{ to: 'process', target: child }] });
    expect(released).toHaveLength(reached === null ? 4 : 2);
    expect(sent.at(-1)).toBe('CONT 11');
    expect(sent[0]).toBe(reached === null ? 'TERM 10' : 'group TERM 10');
  }
});
