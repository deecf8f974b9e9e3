import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { environmentNames } from '../../app/agents/signatures.ts';
import { asPid } from '../../app/process/identity.ts';
import type { MemberFacts } from '../../app/process/facts.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { drain } from '../../app/process/steps.ts';
import { youngSeconds } from '../../main/os/linux/proc/known-processes.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';

/** Does what its standard input says, a line at a time, and answers each. */
const obedient = String.raw`
  use POSIX (); use Socket; use Fcntl ':flock';
  $| = 1; my @held; print "ready\n";
  while (defined(my $what = <STDIN>)) {
    chomp $what;
    if ($what eq 'open') { open(my $file, '>>', "$ENV{FOLDER}/one") or die; push @held, $file }
    if ($what eq 'lock') { open(my $file, '>>', "$ENV{FOLDER}/lock") or die; flock($file, LOCK_EX); push @held, $file }
    if ($what eq 'close') { close(pop @held) }
    if ($what eq 'move') { chdir('/') }
    if ($what eq 'listen') { socket(my $s, PF_INET, SOCK_STREAM, 0); bind($s, sockaddr_in(0, INADDR_LOOPBACK)); listen($s, 1); push @held, $s }
    if ($what eq 'write') { open(my $file, '>>', '/dev/null'); syswrite($file, 'x' x 100) }
    if ($what eq 'exec') { exec 'sleep', 1000 }
    print "done\n";
  }
`;

const deeds = ['nothing', 'open', 'lock', 'move', 'listen', 'write', 'close', 'nothing', 'exec', 'nothing'] as const;

let folder: string;
let child: ChildProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-kept-'));
  child = spawn('perl', ['-e', obedient], { cwd: folder, env: { ...process.env, FOLDER: folder }, stdio: 'pipe' });
  if (child.stdout !== null) await once(createInterface({ input: child.stdout }), 'line');
});

afterEach(async () => {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

const source = (): LinuxSource => new LinuxSource({ environmentNames, uid: process.getuid?.() ?? 0 });

/** The row of the child as a scan that watches it shows it. */
const rowIn = (one: LinuxSource): ProcessRow => {
  const pid = asPid(child.pid ?? 0);
  const row = one.scan(new Set([pid])).rows.get(pid);
  if (row === undefined) throw new Error('the process is not in the table');
  return row;
};

const factsOf = (one: LinuxSource, row: ProcessRow, from: 'fresh' | 'kept'): MemberFacts | undefined =>
  drain(one.steps.readingFacts([row], from)).get(row.pid);

/** Has it done, and waits until it sleeps again. */
const have = async (what: (typeof deeds)[number]): Promise<void> => {
  if (what === 'nothing' || child.stdin === null || child.stdout === null) return;
  const answer = what === 'exec' ? null : once(createInterface({ input: child.stdout }), 'line');
  child.stdin.write(`${what}\n`);
  await answer;
  for (const reader = source(); ;) {
    const row = reader.read(asPid(child.pid ?? 0));
    if (row?.state === 'S' && (what !== 'exec' || row.comm === 'sleep')) return;
    await new Promise((resolve) => void setImmediate(resolve));
  }
};

describe.skipIf(process.platform !== 'linux')('facts of a process that has not run', () => {
  test('are the same object, and those of one that did something are read again', async () => {
    const one = source();
    rowIn(one);
    const before = factsOf(one, rowIn(one), 'kept');
    expect(factsOf(one, rowIn(one), 'kept')).toBe(before);
    await have('listen');
    const after = factsOf(one, rowIn(one), 'kept');
    expect(after?.ports).toHaveLength(1);
    expect(before?.ports).toEqual([]);
  });

  test('are never kept where fresh ones are asked for', () => {
    const one = source();
    rowIn(one);
    const before = factsOf(one, rowIn(one), 'kept');
    const fresh = factsOf(one, rowIn(one), 'fresh');
    expect(fresh).not.toBe(before);
    expect(fresh).toEqual(before);
  });

  test('are read again after some scans, whether it ran or not', () => {
    const one = source();
    rowIn(one);
    const seen = Array.from({ length: 20 }, () => factsOf(one, rowIn(one), 'kept'));
    expect(new Set(seen).size).toBeGreaterThan(1);
  });

  test('and its row equal what a source without memory reads, whatever it did between two scans', async () => {
    const one = source();
    // A young process is read at every scan.
    await new Promise((resolve) => void setTimeout(resolve, (youngSeconds + 1) * 1000));
    rowIn(one);
    for (const deed of deeds) {
      await have(deed);
      const fresh = source();
      const row = rowIn(one);
      expect({ deed, row }).toEqual({ deed, row: rowIn(fresh) });
      expect({ deed, facts: factsOf(one, row, 'kept') }).toEqual({ deed, facts: factsOf(fresh, row, 'fresh') });
    }
  });
});

/** Listens when it gets SIGUSR1. Its standard files are no sockets. */
const quiet = String.raw`
  use Socket; my @held;
  $SIG{USR1} = sub { socket(my $s, PF_INET, SOCK_STREAM, 0); bind($s, sockaddr_in(0, INADDR_LOOPBACK)); listen($s, 1); push @held, $s };
  open(my $ready, '>', "$ENV{FOLDER}/ready"); close($ready);
  sleep 1000 while 1;
`;

describe.skipIf(process.platform !== 'linux')('the ports of a process that holds no socket', () => {
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  test('are read again once it has run, and not before', async () => {
    const silent = spawn('perl', ['-e', quiet], { env: { ...process.env, FOLDER: folder }, stdio: 'ignore' });
    try {
      const pid = asPid(silent.pid ?? 0);
      while (!existsSync(join(folder, 'ready')) || source().read(pid)?.state !== 'S') await turn();
      const one = source();
      const row = one.scan(new Set()).rows.get(pid);
      if (row === undefined) throw new Error('the process is not in the table');
      const before = one.listening.ports(row, 'kept');
      expect(before).toEqual([]);
      expect(one.listening.ports(row, 'kept')).toBe(before);
      expect(one.listening.ports(row, 'fresh')).not.toBe(before);
      silent.kill('SIGUSR1');
      while (one.listening.ports(row, 'fresh').length === 0) {
        await turn();
        one.scan(new Set());
      }
      expect(one.listening.ports(row, 'kept')).toEqual(one.listening.ports(row, 'fresh'));
    } finally {
      const ended = once(silent, 'exit');
      silent.kill('SIGKILL');
      await ended;
    }
  });
});
