import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { networkRowsIn, rowOf, type NetworkRow } from '../../main/os/linux/sockets/network-table.ts';
import { SocketTables } from '../../main/os/linux/sockets/sockets.ts';
import { tcpOf } from '../../main/os/linux/sockets/tcp-table.ts';
import { ProcReader } from '../../main/os/linux/proc/proc-reader.ts';

/**
 * Holds listeners of both families, one of them for both, connections that it accepted and one that
 * it did not, one that is half closed, one with unread bytes, one that is kept alive. Prints their
 * ports.
 */
const holder = `
import socket, time
kept = []
def listen(family, address, both=False):
    one = socket.socket(family); kept.append(one)
    if family == socket.AF_INET6: one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if both else 1)
    one.bind((address, 0)); one.listen()
    return one
def connect(family, address, listener):
    one = socket.socket(family); kept.append(one)
    one.connect((address, listener.getsockname()[1]))
    return one
four, six, both = listen(socket.AF_INET, '127.0.0.1'), listen(socket.AF_INET6, '::1'), listen(socket.AF_INET6, '::', True)
waiting = listen(socket.AF_INET, '127.0.0.1')
for family, address, listener in [(socket.AF_INET, '127.0.0.1', four), (socket.AF_INET6, '::1', six), (socket.AF_INET, '127.0.0.1', both)]:
    client = connect(family, address, listener)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    served, _ = listener.accept(); kept.append(served)
    client.send(b'unread')
half = connect(socket.AF_INET, '127.0.0.1', four); other, _ = four.accept(); kept.append(other)
half.shutdown(socket.SHUT_WR)
connect(socket.AF_INET, '127.0.0.1', waiting)
print(*[one.getsockname()[1] for one in (four, six, both, waiting)], flush=True)
time.sleep(300)
`;

const started: ChildProcess[] = [];
afterEach(() => started.splice(0).forEach((one) => one.kill('SIGKILL')));

const start = async (
  command: string,
  ...args: readonly string[]
): Promise<{ pid: number; ports: readonly number[] }> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [data] = (await once(child.stdout, 'data')) as [Buffer];
  return { pid: child.pid ?? 0, ports: data.toString().trim().split(' ').map(Number) };
};

/** In an order of their own, since neither table has one. */
const sorted = (rows: readonly NetworkRow[]): readonly string[] =>
  rows.map(({ inode, state, local, remote }) => `${local} ${remote} ${state} ${inode}`).toSorted();

const about = (rows: readonly NetworkRow[], ports: readonly number[]): readonly NetworkRow[] =>
  rows.filter(({ local, remote }) => ports.some((port) => local.endsWith(`:${port}`) || remote.endsWith(`:${port}`)));

test('the kernel’s own table of TCP says what the texts in /proc say', async () => {
  const { pid, ports } = await start('python3', '-c', holder);
  expect(ports).toHaveLength(4);
  const reader = new ProcReader();
  const read = (): readonly NetworkRow[] =>
    about(
      ['tcp', 'tcp6'].flatMap((file) =>
        networkRowsIn(reader.readText(`/proc/${pid}/net/${file}`, 8_388_608) ?? '', 'tcp'),
      ),
      ports,
    );
  // The end of the half closed connection is confirmed (FIN_WAIT2) some time after it was sent, and
  // the server's end of the one that was not accepted may wait for the last word (SYN_RECV).
  await vi.waitUntil(
    () => {
      const states = read().map(({ state }) => state);
      return states.includes('05') && !states.includes('03');
    },
    { timeout: 60_000 },
  );
  const texts = read();
  const told = about((tcpOf(pid, 'all') ?? []).map(rowOf), ports);
  expect(sorted(told)).toEqual(sorted(texts));
  // Four listeners, both ends of three connections, of one half closed and of one not accepted.
  expect(told).toHaveLength(14);
  expect(told.filter(({ inode }) => inode === '0')).toHaveLength(1);

  expect(new Set(new SocketTables(reader).listening(pid).values())).toEqual(
    new Set((tcpOf(pid, 'listening') ?? []).map(({ local }) => Number(local.slice(local.lastIndexOf(':') + 1)))),
  );
  expect([...new SocketTables(reader).listening(pid).values()]).toEqual(expect.arrayContaining([...ports]));
  const connections = [...new SocketTables(reader).established(pid).values()];
  const ends = connections.filter(({ local }) => ports.some((port) => local.endsWith(`:${port}`)));
  expect(ends.filter(({ unreadBytes }) => unreadBytes === 6)).toHaveLength(3);
  expect(
    connections.filter(({ remote, keptAlive }) => keptAlive && ports.some((port) => remote.endsWith(`:${port}`))),
  ).toHaveLength(3);
});

test('in another network namespace the texts are read', async () => {
  const { pid, ports } = await start(
    'unshare',
    '--net',
    'python3',
    '-c',
    `
import socket, subprocess, time
subprocess.run(['ip', 'link', 'set', 'lo', 'up'], check=True)
one = socket.socket(); one.bind(('127.0.0.1', 0)); one.listen()
print(one.getsockname()[1], flush=True)
time.sleep(300)`,
  );
  expect(tcpOf(pid, 'all')).toBeNull();
  expect([...new SocketTables(new ProcReader()).listening(pid).values()]).toEqual(ports);
});
