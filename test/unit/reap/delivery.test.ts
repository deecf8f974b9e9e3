import { say } from '../../../app/text/say.ts';
import { expect, test } from 'vitest';
import { asBootId, asPid, identityKey } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { Order } from '../../../app/reap/target.ts';
import type { Look } from '../../../main/observing/look.ts';
import type { ProcessHandle } from '../../../main/os/processes/signaller.ts';
import { localDeliverer, type LocalTools } from '../../../main/reaping/delivery.ts';
import type { Reaping } from '../../../main/reaping/reaping.ts';
import { rowOf } from '../judge/job-builder.ts';
import { target } from './targets.ts';

const supervisor = { bootId: asBootId('boot:1'), pid: asPid(50), startTicks: 500 };
const own: Order = { to: 'process', target: target(50, 50) };
const others = {
  to: 'group',
  leader: target(60, 60).key,
  pgid: 60,
  members: [target(60, 60), target(61, 60)],
} as const;

interface Differs {
  readonly signal?: 'TERM' | 'KILL';
  readonly orders?: readonly Order[];
  readonly row?: ProcessRow | null;
  readonly handle?: Partial<ProcessHandle> | null;
}

/** Ends a run, whose `curfew run` is process 50; what it was sent. */
const delivered = ({ signal = 'TERM', orders = [own], row, handle }: Differs = {}) => {
  const sent: string[] = [];
  const held = {
    alive: () => true,
    send: (name: string) => {
      sent.push(name);
      return 'sent';
    },
    ...handle,
  } as ProcessHandle;
  const reaping = {
    judged: { job: { run: { supervisor, graceSeconds: 9 } } },
    handle: (key: string) => (key === identityKey(supervisor) && handle !== null ? held : undefined),
    isUsedSince: () => false,
    noteKill: () => undefined,
  } as unknown as Reaping<ProcessHandle>;
  const tools = {
    source: { read: () => (row === undefined ? rowOf(50, ['curfew'], { startTicks: 500 }) : row) },
    vetoContext: () => ({ uid: 1000 }),
    now: () => 7,
  } as unknown as LocalTools;
  const step = localDeliverer(tools)
    .deliver(reaping, {} as Look, { kind: 'signal', signal, orders, resume: [] })
    .next();
  return { ...step.value, sent };
};

test('a run is told through its own `curfew run` with TERM, whatever the signal, and made to run', () => {
  const told = {
    atMs: 7,
    signal: 'TERM',
    target: 'its curfew run, process 50',
    pids: [50],
    result: 'sent',
    note: 'it passes that on, and waits 9 s',
    said: say('it passes that on, and waits {seconds} s', { seconds: 9 }),
  };
  expect(delivered()).toEqual({ records: [told], unanswered: null, sent: ['TERM', 'CONT'] });
  expect(delivered({ signal: 'KILL' })).toEqual({
    records: [{ ...told, note: 'its grace is over', said: say('its grace is over') }],
    unanswered: null,
    sent: ['TERM', 'CONT'],
  });
});

test('it is told where an order reaches that process, alone or in a group, and not else', () => {
  expect(delivered({ orders: [others, own] }).records).toHaveLength(1);
  const group: Order = { ...others, members: [target(60, 60), target(50, 60)] };
  expect(delivered({ orders: [group] }).sent).toEqual(['TERM', 'CONT']);
  for (const orders of [[], [others], [{ to: 'process', target: target(51, 50) } as const]])
    expect(delivered({ orders })).toEqual({ records: [], unanswered: null, sent: [] });
});

test.each<[string, Differs]>([
  ['is not held', { handle: null }],
  ['has ended', { handle: { alive: () => false } }],
  ['is not there', { row: null }],
  ['has given its pid to another', { row: rowOf(50, ['x'], { startTicks: 501 }) }],
])('a `curfew run` that %s hears nothing', (_what, differs) => {
  const { records, sent } = delivered(differs);
  expect(records).toMatchObject([{ result: 'gone', note: null }]);
  expect(sent).toEqual([]);
});

test('a `curfew run` of another user hears nothing', () => {
  const { records, sent } = delivered({ row: rowOf(50, ['curfew'], { startTicks: 500, uid: 0 }) });
  expect(records).toMatchObject([{ result: 'vetoed', note: 'it belongs to another user' }]);
  expect(sent).toEqual([]);
});
