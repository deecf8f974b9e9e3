import { once } from 'node:events';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasProgram } from '../needs.ts';
import { eventually } from './eventually.ts';
import { isRootOfMachine, manyUsers, readableNode } from './machine-facts.ts';
import { curfewFile } from './scene/curfew.ts';

const uid = 65_533;
const canPlay = isRootOfMachine && manyUsers && existsSync('/dev/fuse');

let started: ChildProcess[];
let home: string;

beforeEach(() => {
  started = [];
  home = mkdtempSync(join(tmpdir(), 'curfew-stalled-'));
});

afterEach(async () => {
  for (const child of started) {
    const ended = once(child, 'exit');
    child.stdin?.end();
    await ended;
  }
  rmSync(home, { recursive: true, force: true });
});

const startStalling = async (of = uid, ...what: readonly 'file'[]): Promise<number> => {
  const stalling = spawn('python3', [join(import.meta.dirname, 'fixtures/stalled.py'), String(of), ...what], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(stalling);
  let told = '';
  stalling.stdout?.on('data', (data: Buffer) => (told += data.toString()));
  await eventually(() => expect(told).toMatch(/^\d+\n/u));
  const pid = Number(told);
  const waits = what.length === 0 ? /\) D /u : /\) S /u;
  await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toMatch(waits));
  return pid;
};

/** What a source sees of a process after three looks. */
const looking = (pid: number): string => `
  const { LinuxSource } = await import(${JSON.stringify(join(import.meta.dirname, '../../main/os/linux/source.ts'))});
  const source = new LinuxSource({ environmentNames: [], uid: 0 });
  for (const turn of [1, 2]) source.scan(new Set());
  const { rows } = source.scan(new Set([${pid}]));
  console.log(JSON.stringify({ ...rows.get(${pid}), rows: rows.size }));
  process.exitCode = 3;`;
const options = { encoding: 'utf8', timeout: 120_000, killSignal: 'SIGKILL' } as const;

describe.runIf(canPlay)('a process of another user whose memory makes each reader wait for ever', () => {
  // Without an end of its own this one hung.
  test('keeps no scan from its end, and is in the table without its command line', async () => {
    const pid = await startStalling();
    const reading = spawnSync(readableNode, ['--input-type=module', '-e', looking(pid)], options);
    expect({ status: reading.status, signal: reading.signal }).toEqual({ status: 3, signal: null });
    expect(JSON.parse(reading.stdout)).toMatchObject({ pid, uid, argv: [], comm: 'stalled' });
    const scan = spawnSync(readableNode, [curfewFile, 'scan', '--json'], {
      ...options,
      env: { PATH: process.env['PATH'], HOME: home, CURFEW_HOME: join(home, 'curfew') },
    });
    expect({ status: scan.status, document: scan.stdout.slice(0, 1) }).toEqual({ status: 0, document: '{' });
  });

  // A user has 65,536 of them by subuid(5); each took a thread, until none was left.
  test('hides no command line of others, under however many of its subordinate users it runs', async () => {
    await Promise.all(Array.from({ length: 9 }, async (_, index) => startStalling(100_001 + index)));
    const honest = spawn('sleep', ['777'], { uid, stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = once(honest, 'exit');
    try {
      const own = 'mount -t tmpfs own /etc && echo mallory:100000:65536 > /etc/subuid && exec "$@"';
      const words = ['-m', 'sh', '-c', own, 'sh', readableNode, '--input-type=module', '-e', looking(honest.pid ?? 0)];
      const reading = spawnSync('unshare', words, options);
      expect({ status: reading.status, said: reading.stderr }).toEqual({ status: 3, said: '' });
      expect(JSON.parse(reading.stdout)).toMatchObject({ uid, argv: ['sleep', '777'] });
    } finally {
      honest.kill('SIGKILL');
      await ended;
    }
  });
});

interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program says; what the kernel holds can't be waited for: no signal ends it. */
const saidBy = async (words: readonly string[], env = process.env, program = readableNode): Promise<Said> => {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (said.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.stderr += data.toString()));
  await eventually(() => expect(child.exitCode).not.toBeNull());
  return said;
};

describe.runIf(canPlay)('a process of this user, in a sandbox with a file system of its own', () => {
  test('whose memory makes each reader wait is named, and left out of a scan that ends', async () => {
    const pids = await Promise.all([startStalling(0), startStalling(0), startStalling(0), startStalling(0)]);
    const env = { PATH: process.env['PATH'], HOME: home, CURFEW_HOME: join(home, 'curfew') };
    const { stdout, stderr } = await saidBy([curfewFile, 'scan', '--json'], env);
    expect(JSON.parse(stdout)).toHaveProperty('jobs');
    const named = [...stderr.matchAll(/^curfew: What process (\d+) \(stalled\) runs is not read.*\n/gmu)];
    // Further threads are not held up for them.
    expect(named).toHaveLength(3);
    expect(pids).toEqual(expect.arrayContaining(named.map(([, pid]) => Number(pid))));
    expect(stderr).toBe(named.map(([line]) => line).join(''));
  });

  // The tests run where FUSE's own list of its mounts is not shown: then each sandbox may have one.
  test('is read as any other while the kernel shows that nothing of FUSE is mounted elsewhere', async () => {
    const asks = `const { heldIn } = await import(${JSON.stringify(join(import.meta.dirname, '../../main/os/files/held-readers.ts'))});
      console.log(JSON.stringify(heldIn(Number(process.argv[1]))));`;
    const shown = 'mount -t fusectl none /sys/fs/fuse/connections && exec "$@"';
    const ask = async (pid: number, ...before: readonly string[]): Promise<unknown> => {
      const words = [...before, readableNode, '--input-type=module', '-e', asks, '--', String(pid)];
      return JSON.parse((await saidBy(words, process.env, 'unshare')).stdout);
    };
    const sandbox = spawn('unshare', ['-m', 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
    started.push(sandbox);
    sandbox.stdin.write('in it\n');
    await once(sandbox.stdout, 'data');
    const pid = sandbox.pid ?? 0;
    const mounts = readlinkSync(`/proc/${pid}/ns/mnt`);
    expect(await ask(pid, '-m', 'sh', '-c', shown, 'sh')).toBeNull();
    expect(await ask(pid, '-m')).toBe(mounts);
    await startStalling(0, 'file');
    expect(await ask(pid, '-m', 'sh', '-c', shown, 'sh')).toBe(mounts);
  });

  test.each([
    ['by its name', (folder: string) => folder],
    ['by a link', (folder: string) => (symlinkSync(folder, join(home, 'link')), join(home, 'link'))],
  ])('keeps no scan from its end by a folder that another process names as an agent’s, %s', async (_, nameOf) => {
    const pid = await startStalling(0, 'file');
    const folder = nameOf(`/proc/${pid}/root${dirname(readlinkSync(`/proc/${pid}/fd/3`))}`);
    const names = spawn('cat', {
      stdio: 'pipe',
      env: { CLAUDECODE: '1', CLAUDE_CONFIG_DIR: folder },
    });
    started.push(names);
    const env = { PATH: process.env['PATH'], HOME: home, CURFEW_HOME: join(home, 'curfew') };
    const { stdout } = await saidBy([curfewFile, 'scan', '--json'], env);
    expect(JSON.parse(stdout)).toHaveProperty('jobs');
  });

  test.skipIf(!hasProgram('git'))(
    'keeps git, which its configuration leads there, no longer than asked (git)',
    async () => {
      const pid = await startStalling(0, 'file');
      const file = `/proc/${pid}/root${readlinkSync(`/proc/${pid}/fd/3`)}`;
      spawnSync('git', ['init', '-q', home]);
      spawnSync('git', ['-C', home, 'config', 'include.path', file]);
      const { stdout } = await saidBy([
        '--input-type=module',
        '-e',
        `const { openGit } = await import(${JSON.stringify(join(import.meta.dirname, '../../main/worktrees/git.ts'))});
       console.log(JSON.stringify(openGit(${JSON.stringify(home)}, [], { timeoutMs: 500 })));`,
      ]);
      expect(JSON.parse(stdout)).toBeNull();
    },
  );

  test('of which an open file makes what looks at it wait may read a named pipe', async () => {
    const pid = await startStalling(0, 'file');
    const { stdout } = await saidBy([
      '--input-type=module',
      '-e',
      `const { LinuxSource } = await import(${JSON.stringify(join(import.meta.dirname, '../../main/os/linux/source.ts'))});
       const source = new LinuxSource({ environmentNames: [], uid: 0 });
       const row = source.scan(new Set()).rows.get(${pid});
       console.log(JSON.stringify({ argv: row.argv.length, ...source.facts([row]).get(${pid}) }));`,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ argv: 4, readsPipe: true });
  });
});
