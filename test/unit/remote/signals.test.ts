import { describe, expect, test } from 'vitest';
import { asBootId, asPid, type ProcessIdentity } from '../../../app/process/identity.ts';
import { hostPauseMs } from '../../../main/remote/watch/host-supervisor.ts';
import type { ObservedProcess } from '../../../main/os/recorded/observed-process.ts';
import { recordsOf } from '../../../main/remote/reaper.ts';
import { namesExpression, type RemoteOrder, signalLines, signalResults } from '../../../main/remote/answers/signals.ts';

const bootId = asBootId('boot/1');
const identity = (pid: number): ProcessIdentity => ({ bootId, pid: asPid(pid), startTicks: pid * 10 });
const observed = (pid: number): ObservedProcess => ({
  pid,
  uid: 0,
  stat: null,
  startAfter: null,
  arguments: ['sh', '-c', 'a\nb'],
  environment: ['CLAUDECODE=1'],
  environmentReadable: true,
  rewritten: false,
  tracer: null,
  cgroup: '0::/x\n',
  io: null,
  syscall: null,
  wchan: null,
  links: new Map(),
  access: new Map(),
  held: new Set(),
  locks: new Map(),
  pipes: new Set(),
  masters: new Map(),
  memory: '',
});
const group: RemoteOrder = { to: 'group', signal: 'TERM', group: 40, members: [identity(40), identity(41)] };
const one: RemoteOrder = { to: 'process', signal: 'TERM', process: identity(50) };
const boot = { way: 'procfs' as const, id: 'b', namespace: '1', uid: 0, names: '^(A)=' };

describe('the order of signals', () => {
  test('describes each process once, as it was judged, and nothing of it can become another line', () => {
    const lines = signalLines(boot, [group, one], ({ pid }) => observed(pid));
    expect(lines.slice(4)).toEqual([
      'process 40 400',
      '=sh\u001E-c\u001Ea\u001Fb\u001E0::/x\u001F\u001ECLAUDECODE=1\u001E',
      'process 41 410',
      '=sh\u001E-c\u001Ea\u001Fb\u001E0::/x\u001F\u001ECLAUDECODE=1\u001E',
      'process 50 500',
      '=sh\u001E-c\u001Ea\u001Fb\u001E0::/x\u001F\u001ECLAUDECODE=1\u001E',
      'group TERM 40 40 41',
      'one TERM 50',
    ]);
    expect(lines.every((line) => !/[\n\0]/u.test(line))).toBe(true);
  });

  test('says nothing of a process that is not what it was', () => {
    expect(signalLines(boot, [one], () => null).filter((line) => line.startsWith('process'))).toEqual([]);
  });

  test('names of variables are letters and digits only', () => {
    expect(namesExpression(['CURFEW_KEEP', 'a|b', 'x y', ''])).toBe('^(CURFEW_KEEP)=');
  });
});

describe('results', () => {
  const results = (records: readonly string[]) => signalResults(new Map([['signals', records]]), [group, one]);

  test('are kept in order, by order', () => {
    const { results: found, refused } = results(['group 40 sent', '50 gone']);
    expect(refused).toBeNull();
    expect(recordsOf([group, one], found, 7)).toEqual([
      { atMs: 7, signal: 'TERM', target: 'group 40', pids: [40, 41], result: 'sent', note: null },
      { atMs: 7, signal: 'TERM', target: 'process 50', pids: [50], result: 'gone', note: null },
    ]);
  });

  test('a group that was not whole has a result for each member', () => {
    const { results: found } = results(['40 sent', '41 changed', '50 refused']);
    expect(recordsOf([group, one], found, 7).map(({ pids, result }) => [pids, result])).toEqual([
      [[40], 'sent'],
      [[41], 'vetoed'],
      [[50], 'refused'],
    ]);
  });

  test('about others, or of no known form, say nothing', () => {
    const { results: found } = results(['1 sent', 'group 1 sent', '50 killed', 'sent 50', '-50 sent']);
    expect(found).toEqual([]);
  });

  test('a process without a result does not count as signalled', () => {
    const { results: found } = results(['40 sent']);
    expect(recordsOf([group, one], found, 7).flatMap(({ pids }) => pids)).toEqual([40]);
  });

  test('a reason for doing nothing is passed on', () => {
    expect(results(['nothing this is another boot']).refused).toBe('this is another boot');
  });
});

test('a machine out of reach is asked ever later, within bounds, and never all at the same moment', () => {
  const pause = (failures: number, random: number): number =>
    hostPauseMs({ failures, tookMs: 0, dueSeconds: null }, random);
  expect([0, 1, 2, 3, 10, 1000].map((failures) => pause(failures, 0.5))).toEqual([
    30_000, 60_000, 120_000, 240_000, 600_000, 600_000,
  ]);
  expect(pause(0, 0)).toBeLessThan(pause(0, 1));
  expect(hostPauseMs({ failures: 0, tookMs: 0, dueSeconds: 5 }, 0.5)).toBe(5_000);
  expect(hostPauseMs({ failures: 0, tookMs: 9_000, dueSeconds: 5 }, 0.5)).toBe(90_000);
});
