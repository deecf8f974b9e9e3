import { inEnglish } from '../../../../app/text/say.ts';
import { expect, test } from 'vitest';
import { asPid, type ProcessIdentity } from '../../../../app/process/identity.ts';
import { HelperAsker, type AskedMember, type ConsoleAsker } from '../../../../main/os/console/asker.ts';
import { helperStatus, membersIn, sendConsoleEvent } from '../../../../main/os/console-helper.ts';
import { HandleSignaller } from '../../../../main/os/windows/native/signaller.ts';
import { NativeSource } from '../../../../main/os/windows/native/source.ts';
import { SimulatedWindows, type Simulated } from '../../../windows/simulated-windows.ts';

const deaf: ConsoleAsker = { ask: () => 'not-sent', forget: () => undefined };

interface Machine {
  readonly kernel: SimulatedWindows;
  readonly source: NativeSource;
  readonly signaller: HandleSignaller;
  readonly identityOf: (one: Simulated) => ProcessIdentity;
}

const machine = (asker: ConsoleAsker = deaf): Machine => {
  const kernel = new SimulatedWindows();
  const curfew = kernel.start(kernel.explorer);
  const source = new NativeSource({ kernel, environmentNames: [], uid: 0, ownPid: curfew.pid });
  return {
    kernel,
    source,
    signaller: new HandleSignaller(kernel, source, asker),
    identityOf: ({ pid, created }) => ({
      bootId: source.bootId,
      pid: asPid(pid),
      startTicks: Number(created - 130_645_440_000_000_000n),
    }),
  };
};

test('KILL ends the held process, and only its confirmed death counts', () => {
  const { kernel, signaller, identityOf } = machine();
  const one = kernel.start(kernel.explorer);
  const handle = signaller.open(identityOf(one));
  expect(handle).toMatchObject({ kind: 'handle' });
  expect(handle?.alive()).toBe(true);
  expect(handle?.send('KILL')).toBe('sent');
  expect(handle?.alive()).toBe(false);
  expect(handle?.send('KILL')).toBe('gone');
  handle?.close();
  handle?.close();
  expect(kernel.handles.size).toBe(0);
});

test('a pid that became another process is not opened', () => {
  const { kernel, signaller, identityOf } = machine();
  const one = kernel.start(kernel.explorer);
  const identity = identityOf(one);
  kernel.end(one);
  expect(signaller.open(identity)).toBeNull();
  kernel.start(kernel.explorer, { pid: one.pid });
  expect(signaller.open(identity)).toBeNull();
  expect(kernel.handles.size).toBe(0);
});

test('another boot, Curfew itself and the kernel are never opened', () => {
  const { kernel, signaller, identityOf } = machine();
  const one = kernel.start(kernel.explorer);
  expect(signaller.open({ ...identityOf(one), bootId: 'other' as ProcessIdentity['bootId'] })).toBeNull();
  const system = kernel.processes.get(4) as Simulated;
  expect(signaller.open(identityOf(system))?.send('KILL')).toBe('refused');
  expect(system.ended).toBe(false);
});

test('a process that may not be ended is watched, and refuses every signal', () => {
  const { kernel, signaller, identityOf } = machine();
  const one = kernel.start(kernel.explorer, { closed: true });
  const handle = signaller.open(identityOf(one));
  expect(handle?.alive()).toBe(true);
  expect(handle?.send('KILL')).toBe('refused');
  expect(handle?.send('TERM')).toBe('refused');
  kernel.end(one);
  expect(handle?.alive()).toBe(false);
});

test('a soft end is what the console takes; without one it is refused with the reason', () => {
  const asked: number[] = [];
  const { kernel, signaller, identityOf } = machine({
    ask: ({ pid }) => (asked.push(pid) > 1 ? 'on-its-way' : 'not-sent'),
    forget: () => undefined,
  });
  const [first, second] = [kernel.start(kernel.explorer), kernel.start(kernel.explorer)];
  const [one, two] = [first, second].map((process) => signaller.open(identityOf(process)));
  expect(one?.send('TERM')).toBe('refused');
  expect(inEnglish(one?.whyRefused?.('TERM') ?? '')).toContain('after its grace');
  expect(one?.whyRefused?.('KILL')).toBeNull();
  expect(one?.sentNote?.('TERM')).toBeNull();
  expect(two?.send('INT')).toBe('sent');
  expect(inEnglish(two?.sentNote?.('INT') ?? '')).toContain('a helper asks it');
  expect(two?.sentNote?.('KILL')).toBeNull();
  expect(asked).toEqual([first.pid, second.pid]);
  expect(one?.sendToGroup('TERM')).toBe('unsupported');
});

test('the asker asks nothing of what has no console, and names all that were asked', () => {
  const started: (readonly AskedMember[])[] = [];
  const without = new Set<number>();
  let mates: readonly AskedMember[] = [];
  let now = 0;
  const asker = new HelperAsker(
    { hasConsole: ({ pid }) => !without.has(pid), consoleMates: () => mates },
    (members) => (started.push(members) > 0 ? 'sent' : 'not-sent'),
    () => now,
  );
  const identity = (pid: number): ProcessIdentity => ({ ...machine().identityOf({ pid, created: 0n } as Simulated) });
  const [one, two, three] = [identity(100), identity(104), identity(108)];
  without.add(100);
  expect(asker.ask(one)).toBe('not-sent');
  expect(asker.ask(two)).toBe('sent');
  asker.ask(three);
  expect(started.at(-1)?.map(({ pid }) => pid)).toEqual([108, 104]);
  asker.forget(two);
  asker.ask(three);
  expect(started.at(-1)?.map(({ pid }) => pid)).toEqual([108]);
  for (let i = 0; i < 100; i++) asker.ask(three);
  expect(started.length).toBe(60);
  now = 61_000;
  expect(asker.ask(three)).toBe('sent');
  // Nothing is started while one that is known to be there is not asked.
  mates = [three, two];
  started.length = 0;
  expect(asker.ask(three)).toBe('not-sent');
  expect(started).toEqual([]);
  expect(asker.ask(two)).toBe('sent');
});

test('the event is sent only where all in the console are members or the helper', () => {
  const { kernel, identityOf } = machine();
  const [one, two, user] = [1, 2, 3].map(() => kernel.start(kernel.explorer)) as [Simulated, Simulated, Simulated];
  const helper = 5_000;
  const send = (members: readonly Simulated[], sharing: readonly number[] | null, has = true): string => {
    let sent = 0;
    const status = sendConsoleEvent(
      members.map(identityOf),
      kernel,
      { enter: () => has, members: () => sharing, send: () => (sent += 1) > 0 },
      helper,
    );
    expect(sent).toBe(status === helperStatus.sent ? 1 : 0);
    expect(kernel.handles.size).toBe(0);
    return Object.entries(helperStatus).find(([, number]) => number === status)?.[0] ?? '';
  };
  expect(send([one, two], [one.pid, two.pid, helper])).toBe('sent');
  expect(send([one], [one.pid, helper])).toBe('sent');
  expect(send([one], [one.pid, two.pid, helper])).toBe('others');
  expect(send([one, two], [one.pid, two.pid, user.pid, helper])).toBe('others');
  expect(send([one], [helper])).toBe('failed');
  expect(send([one], null)).toBe('failed');
  expect(send([one], [one.pid], false)).toBe('noConsole');
  kernel.end(two);
  expect(send([one, two], [one.pid, two.pid, helper])).toBe('others');
  const another = kernel.start(kernel.explorer, { pid: two.pid });
  expect(send([one, two], [one.pid, another.pid, helper])).toBe('others');
  kernel.end(one);
  expect(send([one], [one.pid, helper])).toBe('noConsole');
});

test('the helper takes members and nothing else', () => {
  expect(membersIn(['12:345', '16:9'])).toEqual([
    { pid: 12, startTicks: 345 },
    { pid: 16, startTicks: 9 },
  ]);
  for (const words of [[], ['12'], ['12:3', 'x'], ['-4:3'], ['12:3;4'], ['99999999999:1']])
    expect(membersIn(words)).toBeNull();
});
