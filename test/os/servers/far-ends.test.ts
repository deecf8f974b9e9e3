import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { ProcessChannels } from '../../../app/process/channels.ts';
import { ProcReader } from '../../../main/os/linux/proc/proc-reader.ts';
import { openSockDiag } from '../../../main/os/linux/sock-diag/kernel.ts';
import { channelRound } from '../../../main/os/linux/sockets/channels.ts';

/** Prints the pid of a process that it gives ends, and closes the other ends on a line of input. */
const holder = `
import os, socket, subprocess, sys
kind = sys.argv[1]
def channel(reads):
    if kind == 'pipe':
        r, w = os.pipe()
        return (r, w) if reads else (w, r)
    a, b = socket.socketpair()
    return a.detach(), b.detach()
ends = [channel(True), channel(False), channel(False)]
child = subprocess.Popen(['sleep', '300'], stdin=ends[0][0], stdout=ends[1][0], stderr=ends[2][0])
for theirs, _ in ends: os.close(theirs)
print(child.pid, flush=True)
for _, ours in ends:
    sys.stdin.readline()
    os.close(ours)
    print('closed', flush=True)
sys.stdin.readline()
child.kill()
child.wait()
`;

const started: ChildProcess[] = [];
afterEach(() => started.splice(0).forEach((one) => one.kill('SIGKILL')));

const lineOf = async (child: ChildProcess): Promise<string> => {
  if (child.stdout === null) throw new Error('it has no output');
  const [data] = (await once(child.stdout, 'data')) as [Buffer];
  return data.toString().trim();
};

const read = (pid: number): ProcessChannels => {
  const channels = channelRound(new ProcReader()).of(pid);
  if (channels === null) throw new Error(`the files of process ${pid} can not be seen`);
  return channels;
};

describe.each(['pipe', 'pair'] as const)('the far end of a %s', (kind) => {
  test('is open while a process holds it, and closed from the moment when none does', async () => {
    const parent = spawn('python3', ['-c', holder, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
    started.push(parent);
    const pid = Number(await lineOf(parent));
    const states = [read(pid).standard.map((end) => [end.kind, end.far])];
    for (let fd = 0; fd <= 2; fd++) {
      parent.stdin.write('\n');
      await lineOf(parent);
      states.push(read(pid).standard.map((end) => [end.kind, end.far]));
    }
    expect(states).toEqual(
      [0, 1, 2, 3].map((closed) => [0, 1, 2].map((fd) => [kind, fd < closed ? 'closed' : 'open'])),
    );
    parent.stdin.write('\n');
    await once(parent, 'exit');
  });

  test('is among the ends of the process that holds it', async () => {
    const parent = spawn('python3', ['-c', holder, kind], { stdio: ['pipe', 'pipe', 'inherit'] });
    started.push(parent);
    const pid = Number(await lineOf(parent));
    const round = channelRound(new ProcReader());
    const ends = round.ends(parent.pid ?? 0);
    const others = round.of(pid)?.held.flatMap(({ fd, otherEnd }) => (fd <= 2 ? [otherEnd ?? 'closed'] : [])) ?? [];
    expect(others).toHaveLength(3);
    expect(others.filter((end) => ends?.has(end) !== true)).toEqual([]);
    started.push(parent);
  });
});

test('the null device, a file, and a closed descriptor are no channels', async () => {
  const child = spawn('sh', ['-c', 'exec sleep 300 </dev/null >/tmp/no-channel 2>&-'], { stdio: 'ignore' });
  started.push(child);
  await expect.poll(() => read(child.pid ?? 0).standard.map(({ kind }) => kind)).toEqual(['null', 'file', 'missing']);
});

test('a connection to a named socket is none, and a listener is told with its name', async () => {
  const program = `
import os, socket, sys, time
path = '/tmp/far-ends-%d' % os.getpid()
listener = socket.socket(socket.AF_UNIX); listener.bind(path); listener.listen()
mine = socket.socket(socket.AF_UNIX); mine.connect(path)
theirs, _ = listener.accept()
os.dup2(mine.fileno(), 0); os.dup2(theirs.fileno(), 2)
print(path, flush=True)
time.sleep(300)
`;
  const child = spawn('python3', ['-c', program], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  const path = await lineOf(child);
  const { standard, listens } = read(child.pid ?? 0);
  expect([standard[0].kind, standard[2].kind]).toEqual(['named', 'named']);
  expect(listens).toEqual([path]);
});

test('in another network namespace a pair is unknown, never closed', async () => {
  const script = `import os, socket, sys; a, b = socket.socketpair(); os.dup2(a.fileno(), 0); b.close(); a.close()
print('ready', flush=True); import time; time.sleep(300)`;
  const child = spawn('unshare', ['--net', 'python3', '-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  expect(await lineOf(child)).toBe('ready');
  const channels = read(child.pid ?? 0);
  expect(channels.standard[0]).toEqual({ kind: 'unknown', far: 'unknown' });
  expect(channels.complete).toBe(false);
});

test('without the kernel’s table of sockets a pair is unknown', async () => {
  expect(openSockDiag()).not.toBeNull();
  const child = spawn('sleep', ['300'], { stdio: ['pipe', 'pipe', 'ignore'] });
  started.push(child);
  await once(child, 'spawn');
  const channels = channelRound(new ProcReader(), () => null).of(child.pid ?? 0);
  expect(channels?.standard[0]).toEqual({ kind: 'unknown', far: 'unknown' });
});
