import { once } from 'node:events';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

const startStalling = async (of = uid): Promise<number> => {
  const stalling = spawn('python3', [join(import.meta.dirname, 'fixtures/stalled.py'), String(of)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(stalling);
  let told = '';
  stalling.stdout?.on('data', (data: Buffer) => (told += data.toString()));
  await eventually(() => expect(told).toMatch(/^\d+\n/u));
  const pid = Number(told);
  await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toMatch(/\) D /u));
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
