import { once } from 'node:events';
import { readFileSync, readdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ProcessIdentity, asBootId, asPid } from '../../app/process/identity.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';
import { openPidfds, type Pidfds } from '../../main/os/linux/control/pidfd.ts';
import { PidfdSignaller } from '../../main/os/linux/control/pidfd-signaller.ts';
import { openSignaller } from '../../main/os/open-signaller.ts';
import { RecheckSignaller } from '../../main/os/processes/recheck-signaller.ts';
import type { ProcessHandle, Signaller } from '../../main/os/processes/signaller.ts';
import { eventually } from './eventually.ts';
import { Children, innocent, running } from './process-source-children.ts';

let children: Children;
let source: LinuxSource;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-signal-'));
  children = new Children();
  source = new LinuxSource({ environmentNames: [], uid: process.getuid?.() ?? 0 });
});

afterEach(async () => {
  await children.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const pidfds = (): Pidfds => {
  const opened = openPidfds();
  if ('reason' in opened) throw new Error(`no pidfds here: ${opened.reason}`);
  return opened;
};

const identityOf = (pid: number): ProcessIdentity => {
  const row = source.read(asPid(pid));
  if (row === null) throw new Error(`${pid} is not there`);
  return { bootId: source.bootId, pid: row.pid, startTicks: row.startTicks };
};

const hold = (signaller: Signaller, pid: number): ProcessHandle => {
  const handle = signaller.open(identityOf(pid));
  if (handle === null) throw new Error(`${pid} could not be held`);
  return handle;
};

const diaryOf = (name: string): readonly string[] => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');

/** Starts a process that records every signal. */
const startInnocent = async (name: string, detached = false): Promise<number> => {
  const [file, ...args] = innocent(join(folder, name));
  const child = children.start(file, args, { detached });
  await eventually(() => expect(diaryOf(name)).toEqual(['alive']));
  return child.pid;
};

const descriptors = (): number => readdirSync('/proc/self/fd').length;

test('this machine gets the safest mechanism', () => {
  expect(openSignaller(source).mechanism).toBe(pidfds().groups ? 'pidfd with process groups' : 'pidfd');
});

describe.each([
  ['pidfd', () => new PidfdSignaller(pidfds(), source)],
  ['recheck', () => new RecheckSignaller(source)],
])('%s', (kind, open) => {
  let signaller: Signaller;

  beforeEach(() => {
    signaller = open();
  });

  test('the process gets the signal, and is not alive once it has ended', async () => {
    const child = children.start('sleep', ['1000']);
    const handle = hold(signaller, await running(child.pid, 'sleep'));
    expect([handle.kind, handle.alive()]).toEqual([kind, true]);
    const ended = once(child, 'exit');
    expect(handle.send('TERM')).toBe('sent');
    expect((await ended)[1]).toBe('SIGTERM');
    expect([handle.alive(), handle.send('KILL')]).toEqual([false, 'gone']);
    handle.close();
    handle.close();
    expect([handle.alive(), handle.send('KILL'), handle.sendToGroup('KILL')]).not.toContain('sent');
  });

  test('every signal has its name', async () => {
    const pid = await startInnocent('diary');
    const handle = hold(signaller, pid);
    for (const signal of ['TERM', 'INT', 'HUP', 'QUIT', 'CONT'] as const) {
      expect(handle.send(signal)).toBe('sent');
      await eventually(() => expect(diaryOf('diary').at(-1)).toBe(signal));
    }
    handle.close();
  });

  test('a zombie has ended and can’t be held', async () => {
    const { line } = await children.perlTelling(
      'my $p = fork() // die; if (!$p) { close STDOUT; sleep 1000; exit } print "$p\\n"; sleep 1000',
    );
    const pid = Number(line);
    const handle = hold(signaller, pid);
    expect(handle.send('KILL')).toBe('sent');
    await eventually(() => expect(source.read(asPid(pid))?.state).toBe('Z'));
    expect([handle.alive(), handle.send('TERM')]).toEqual([false, 'gone']);
    expect(signaller.open(identityOf(pid))).toBeNull();
    handle.close();
  });

  test('a process that gets the pid of a held one gets no signal', async () => {
    const child = children.start('sleep', ['1000'], { detached: true });
    const pid = await running(child.pid, 'sleep');
    const handle = hold(signaller, pid);
    await children.end(child);
    await children.recycle(pid, 'setsid', ...innocent(join(folder, 'diary')));
    await eventually(() => expect(diaryOf('diary')).toEqual(['alive']));
    expect(source.read(pid)?.pgid).toBe(pid);
    expect(handle.alive()).toBe(false);
    expect(handle.send('TERM')).toBe('gone');
    expect(handle.sendToGroup('TERM')).toBe(kind === 'pidfd' ? 'gone' : 'unsupported');
    expect(handle.send('KILL')).toBe('gone');
    expect(signaller.open(handle.identity)).toBeNull();
    // A signal of our own proves that the diary works.
    process.kill(pid, 'SIGHUP');
    await eventually(() => expect(diaryOf('diary')).toEqual(['alive', 'HUP']));
    handle.close();
  });

  test('a process of another boot or start is not held', async () => {
    const identity = identityOf(await running(children.start('sleep', ['1000']).pid, 'sleep'));
    expect(signaller.open({ ...identity, bootId: asBootId('another') })).toBeNull();
    expect(signaller.open({ ...identity, startTicks: identity.startTicks - 1 })).toBeNull();
    expect(signaller.open({ ...identity, pid: asPid(4_194_304) })).toBeNull();
  });

  test('a thread is not a process', async () => {
    const threads = readdirSync('/proc/self/task').map(Number);
    const other = threads.find((thread) => thread !== process.pid);
    if (other === undefined) throw new Error('node has only one thread');
    // With the thread's own start: the process started in the same tick or not.
    const stat = readFileSync(`/proc/${other}/stat`, 'latin1');
    const startTicks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    expect(source.read(asPid(other))).toBeNull();
    expect(signaller.open({ bootId: source.bootId, pid: asPid(other), startTicks })).toBeNull();
  });

  test.each([1, 0, -1, process.pid])('%i is never signalled', (pid) => {
    const row = source.read(asPid(pid));
    const handle = signaller.open({ bootId: source.bootId, pid: asPid(pid), startTicks: row?.startTicks ?? 0 });
    expect(handle?.send('TERM')).toBe('refused');
    expect(handle?.sendToGroup('TERM')).toBe('refused');
  });

  test('holding and releasing leaves no descriptor behind', async () => {
    const identity = identityOf(await running(children.start('sleep', ['1000']).pid, 'sleep'));
    const before = descriptors();
    for (let i = 0; i < 300; i++) {
      signaller.open(identity)?.close();
      signaller.open({ ...identity, startTicks: 1 })?.close();
      signaller.open({ ...identity, pid: asPid(4_194_304) })?.close();
    }
    expect(descriptors()).toBe(before);
  });
});

describe('groups', () => {
  const capable = pidfds().groups;

  /**
   * Starts a leader of its own group and session, which ignores HUP, and a member that keeps a
   * diary.
   */
  const startGroup = async (): Promise<number> => {
    const script = '$SIG{HUP} = "IGNORE"; my $p = fork() // die; if (!$p) { exec @ARGV } sleep 1000 while 1';
    const leader = children.perl(script, innocent(join(folder, 'member')), { detached: true });
    await eventually(() => expect(diaryOf('member')).toEqual(['alive']));
    return leader.pid;
  };

  test.skipIf(!capable)('all members of the group get it, and nothing else does', async () => {
    await startInnocent('outsider', true);
    await startInnocent('sibling');
    const handle = hold(new PidfdSignaller(pidfds(), source), await startGroup());
    expect(handle.sendToGroup('HUP')).toBe('sent');
    await eventually(() => expect(diaryOf('member')).toEqual(['alive', 'HUP']));
    expect(handle.alive()).toBe(true);
    expect(handle.sendToGroup('KILL')).toBe('sent');
    await eventually(() => expect(handle.alive()).toBe(false));
    expect([diaryOf('outsider'), diaryOf('sibling')]).toEqual([['alive'], ['alive']]);
    handle.close();
  });

  test.skipIf(!capable)(
    'a group whose leader has ended is still reached through it, even if its number is reused',
    async () => {
      const leader = await startGroup();
      const handle = hold(new PidfdSignaller(pidfds(), source), leader);
      expect(handle.send('KILL')).toBe('sent');
      await eventually(() => expect(source.read(asPid(leader))).toBeNull());
      expect(handle.alive()).toBe(false);
      expect(handle.sendToGroup('INT')).toBe('sent');
      await eventually(() => expect(diaryOf('member')).toEqual(['alive', 'INT']));
      expect(handle.sendToGroup('KILL')).toBe('sent');
      handle.close();
    },
  );

  test('our own group is refused', async () => {
    // A leader with our group, from a source that claims so.
    const child = children.start('sleep', ['1000']);
    const pid = await running(child.pid, 'sleep');
    const inOurGroup = {
      bootId: source.bootId,
      read: (asked: number) => {
        const row = source.read(asPid(asked));
        return row !== null && asked === process.pid ? { ...row, pgid: Number(pid) as typeof row.pgid } : row;
      },
    };
    const handle = new PidfdSignaller({ ...pidfds(), groups: true }, inOurGroup).open(identityOf(pid));
    expect(handle?.sendToGroup('TERM')).toBe('refused');
    expect(handle?.alive()).toBe(true);
    handle?.close();
  });

  test('a kernel without the flag sends nothing', async () => {
    const pid = await running(children.start('sleep', ['1000'], { detached: true }).pid, 'sleep');
    const signaller = new PidfdSignaller({ ...pidfds(), groups: false }, source);
    expect(signaller.mechanism).toBe('pidfd');
    const handle = hold(signaller, pid);
    expect(handle.sendToGroup('KILL')).toBe('unsupported');
    expect(handle.alive()).toBe(true);
    handle.close();
  });
});
