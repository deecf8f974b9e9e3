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

let stalling: ChildProcess;
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'curfew-stalled-'));
});

afterEach(async () => {
  const ended = once(stalling, 'exit');
  stalling.stdin?.end();
  await ended;
  rmSync(home, { recursive: true, force: true });
});

const startStalling = async (): Promise<number> => {
  stalling = spawn('python3', [join(import.meta.dirname, 'fixtures/stalled.py'), String(uid)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let told = '';
  stalling.stdout?.on('data', (data: Buffer) => (told += data.toString()));
  await eventually(() => expect(told).toMatch(/^\d+\n/u));
  const pid = Number(told);
  await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, 'latin1')).toMatch(/\) D /u));
  return pid;
};

describe.runIf(canPlay)('a process of another user whose memory makes each reader wait for ever', () => {
  // Without an end of its own this one hung.
  test('keeps no scan from its end, and is in the table without its command line', async () => {
    const pid = await startStalling();
    const code = `
      const { LinuxSource } = await import(${JSON.stringify(join(import.meta.dirname, '../../main/os/linux/source.ts'))});
      const source = new LinuxSource({ environmentNames: [], uid: 0 });
      for (const turn of [1, 2]) source.scan(new Set());
      const { rows } = source.scan(new Set([${pid}]));
      console.log(JSON.stringify({ ...rows.get(${pid}), rows: rows.size }));
      process.exitCode = 3;`;
    const options = { encoding: 'utf8', timeout: 120_000, killSignal: 'SIGKILL' } as const;
    const reading = spawnSync(readableNode, ['--input-type=module', '-e', code], options);
    expect({ status: reading.status, signal: reading.signal }).toEqual({ status: 3, signal: null });
    expect(JSON.parse(reading.stdout)).toMatchObject({ pid, uid, argv: [], comm: 'stalled' });
    const scan = spawnSync(readableNode, [curfewFile, 'scan', '--json'], {
      ...options,
      env: { PATH: process.env['PATH'], HOME: home, CURFEW_HOME: join(home, 'curfew') },
    });
    expect({ status: scan.status, document: scan.stdout.slice(0, 1) }).toEqual({ status: 0, document: '{' });
  });
});
