import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MemberFacts } from '../../app/process/facts.ts';
import { asPid } from '../../app/process/identity.ts';
import { tracerIn } from '../../main/os/linux/facts/member-facts.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';
import { eventually } from './eventually.ts';
import { Children, running } from './process-source-children.ts';

let children: Children;
let source: LinuxSource;
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-facts-')));
  children = new Children();
  source = new LinuxSource({ environmentNames: ['CLAUDECODE'], uid: process.getuid?.() ?? 0 });
});

afterEach(async () => {
  await children.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const factsOf = (pid: number): MemberFacts => {
  const row = source.read(asPid(pid));
  const facts = row === null ? undefined : source.facts([row]).get(pid);
  if (facts === undefined) throw new Error(`nothing is known of ${pid}`);
  return facts;
};

test('folder, program, environment, namespace and control groups', async () => {
  const child = children.start('sleep', ['1000'], { cwd: folder, env: { PATH: process.env['PATH'], CLAUDECODE: '1' } });
  const facts = factsOf(await running(child.pid, 'sleep'));
  expect(facts).toMatchObject({ cwd: folder, cwdDeleted: false, environment: { CLAUDECODE: '1' } });
  expect(facts.executable).toBe(realpathSync('/bin/sleep'));
  expect(facts.pidNamespace).toBe(source.pidNamespace);
  expect(`pid:[${facts.pidNamespace}]`).toBe(readlinkSync('/proc/self/ns/pid'));
  expect(facts.cgroups).toEqual(source.cgroups);
  expect(Object.keys(facts.cgroups ?? {})).not.toHaveLength(0);
});

test('a folder and an output that were removed show as that', async () => {
  const project = join(folder, 'project (old)');
  const output = join(folder, 'b1.output');
  mkdirSync(project);
  const out = openSync(output, 'a');
  const child = children.start('sleep', ['1000'], { cwd: project, stdio: ['ignore', out, out] });
  const pid = await running(child.pid, 'sleep');
  const row = source.read(pid);
  expect(factsOf(pid)).toMatchObject({ cwd: project, cwdDeleted: false });
  expect(row && source.outputs(row)).toEqual([1, 2].map((fd) => ({ fd, target: output, deleted: false })));
  rmSync(project, { recursive: true });
  rmSync(output);
  expect(factsOf(pid)).toMatchObject({ cwd: project, cwdDeleted: true });
  expect(row && source.outputs(row)).toEqual([1, 2].map((fd) => ({ fd, target: output, deleted: true })));
});

test('closed outputs are left out, pipes and sockets keep their names', async () => {
  const { child } = await children.perlTelling('print "ready\\n"; close STDERR; sleep 1000');
  const row = source.read(asPid(child.pid));
  await eventually(() => expect(row && source.outputs(row)).toHaveLength(1));
  expect(row && source.outputs(row)?.[0]?.target).toMatch(/^(pipe|socket):\[\d+\]$/);
});

const listening = String.raw`
  use IO::Socket::INET; use IO::Socket::UNIX;
  my $tcp = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1) or die "tcp: $@";
  my $udp = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Proto => 'udp', LocalPort => 0) or die "udp: $@";
  my $client = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $tcp->sockport) or die "client: $@";
  socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, PF_UNSPEC);
  print join(' ', $tcp->sockport, $udp->sockport), "\n";
  sleep 1000;
`;

test('ports it listens on, and the number of other sockets', async () => {
  const { child, line } = await children.perlTelling(listening);
  const ports = line
    .split(' ')
    .map(Number)
    .toSorted((a, b) => a - b);
  const facts = factsOf(child.pid);
  expect(facts.ports).toEqual(ports);
  const sockets = facts.openFiles?.filter(({ target }) => target.startsWith('socket:')) ?? [];
  expect(facts.sockets).toBe(sockets.length - 2);
  expect(facts.sockets).toBeGreaterThanOrEqual(3);
});

test('ports in another network namespace are looked up there', async () => {
  const up = String.raw`
    use Socket; socket(my $any, AF_INET, SOCK_DGRAM, 0) or die;
    my $request = pack('a16 s x22', 'lo', 0x41); ioctl($any, 0x8914, $request) or die "loopback: $!";`;
  const args = ['--net', '--', 'perl', '-e', `$| = 1; ${up} ${listening}`];
  const { child, line } = await children.startTelling('unshare', args);
  const [port] = line.split(' ').map(Number);
  expect(factsOf(child.pid).ports).toContain(port);
});

test('a lock counts for every process that holds it, even if the one that took it has ended', async () => {
  const lock = join(folder, 'build.lock');
  const other = join(folder, 'other');
  const { line } = await children.perlTelling(
    String.raw`
      use Fcntl qw(:flock F_SETFD F_SETLK F_WRLCK); $^F = 10;
      open(my $held, '>', $ARGV[0]) or die; flock($held, LOCK_EX) or die;
      open(my $free, '>', $ARGV[1]) or die;
      my $p = fork() // die; if (!$p) { close STDOUT; exec 'sleep', '1000' } print "$p\n"`,
    [lock, other],
  );
  const pid = await running(Number(line), 'sleep');
  expect(factsOf(pid).locks).toEqual([lock]);
  process.kill(pid, 'SIGKILL');
});

test('a lock taken with fcntl is the process’s own', async () => {
  const lock = join(folder, 'pid.lock');
  const { child, line } = await children.perlTelling(
    String.raw`
      use Fcntl qw(:DEFAULT :seek); open(my $held, '>', $ARGV[0]) or die;
      my $whole = pack('s s x4 q q l x4', F_WRLCK, SEEK_SET, 0, 0, 0); fcntl($held, F_SETLK, $whole) or die "lock: $!";
      my $p = fork() // die; if (!$p) { close STDOUT; sleep 1000; exit } print "$p\n"; sleep 1000`,
    [lock],
  );
  const heir = asPid(Number(line));
  expect(factsOf(child.pid).locks).toEqual([lock]);
  expect(factsOf(heir).locks).toEqual([]);
  process.kill(heir, 'SIGKILL');
});

test('what a process reads and writes is counted', async () => {
  const { child } = await children.startTelling('perl', [
    '-e',
    '$| = 1; print "ready\\n"; print while <STDIN>; sleep 1000',
  ]);
  const before = factsOf(child.pid).ioBytes ?? 0;
  child.stdin?.write(`${'x'.repeat(5_000)}\n`);
  await eventually(() => expect(factsOf(child.pid).ioBytes).toBeGreaterThanOrEqual(before + 10_000));
});

test('a process of an inner pid namespace shows its own', async () => {
  const { child } = await children.startTelling('unshare', [
    '--pid',
    '--fork',
    '--kill-child',
    '--',
    'perl',
    '-e',
    '$| = 1; print "ready\\n"; sleep 1000',
  ]);
  const inner = [...source.scan(new Set()).rows.values()].find((row) => Number(row.ppid) === child.pid);
  expect(inner && factsOf(inner.pid).pidNamespace).not.toBe(source.pidNamespace);
  expect(factsOf(child.pid).pidNamespace).toBe(source.pidNamespace);
});

test('facts about many are read in one call, and only of those who still are who they were', async () => {
  const pids = await Promise.all(
    [1, 2, 3].map((i) => running(children.start('sleep', [String(1000 + i)]).pid, 'sleep')),
  );
  const rows = pids.map((pid) => source.read(pid)).filter((row) => row !== null);
  const [first, second, third] = rows;
  if (first === undefined || second === undefined || third === undefined) throw new Error('not all there');
  const facts = source.facts([first, { ...second, startTicks: second.startTicks - 1 }, third]);
  expect([...facts.keys()]).toEqual([first.pid, third.pid]);
});

test('nothing is opened in a process’s files: a fifo that it holds stays as it is', async () => {
  const fifo = join(folder, 'fifo');
  const { child } = await children.perlTelling(
    String.raw`use POSIX; mkfifo($ARGV[0], 0600) or die; open(my $held, '+<', $ARGV[0]) or die; print "ready\n"; sleep 1000`,
    [fifo],
  );
  writeFileSync(join(folder, 'plain'), '');
  expect(factsOf(child.pid).openFiles?.some(({ target }) => target === fifo)).toBe(true);
});

test('an environment that was written over is told as that, and not as an empty one', async () => {
  const env = { PATH: process.env['PATH'], CLAUDECODE: '1', FILLER: 'z'.repeat(300) };
  for (const title of ['short', 'x'.repeat(2_000)]) {
    const child = children.start('perl', ['-e', `$0 = '${title}'; sleep 1000`], { env });
    const pid = asPid(child.pid ?? 0);
    await eventually(() => {
      expect(source.read(pid)?.argv[0]?.startsWith(title.slice(0, 5))).toBe(true);
    });
    expect(factsOf(pid)).toMatchObject({ environment: null, hidden: 'rewritten' });
    await children.end(child);
  }
  const bare = children.start('/bin/sleep', ['1000'], { env: {} });
  const facts = factsOf(await running(bare.pid, '/bin/sleep'));
  expect(facts.environment).toEqual({});
  expect(facts.hidden).toBeUndefined();
});

test('a forked child has the program image of its parent, another program has another', async () => {
  const env = { PATH: process.env['PATH'] };
  const child = children.start('perl', ['-e', '$| = 1; my $p = fork; print "$p\n" if $p; sleep 1000'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [told] = (await once(child.stdout ?? child, 'data')) as readonly unknown[];
  const forked = Number(String(told));
  const image = factsOf(child.pid ?? 0).image;
  expect(image).toMatch(/^[0-9a-z.]+$/u);
  expect(factsOf(forked).image).toBe(image);
  const other = children.start('sleep', ['1000'], { env });
  expect(factsOf(await running(other.pid, 'sleep')).image).not.toBe(image);
  process.kill(forked, 'SIGKILL');
});

test('a process that is traced names its tracer', async () => {
  const env = { PATH: process.env['PATH'] };
  const child = children.start('sleep', ['1000'], { env });
  const pid = await running(child.pid, 'sleep');
  expect(factsOf(pid).tracer).toBeUndefined();
  expect(tracerIn('Name:\tsleep\nTracerPid:\t0\n')).toEqual({});
  expect(tracerIn('Name:\tsleep\nTracerPid:\t4711\nUid:\t0\n')).toEqual({ tracer: 4711 });
  expect(tracerIn(null)).toEqual({});
});
