import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProcessRow } from '../../app/process/row.ts';
import { asPid } from '../../app/process/identity.ts';
import { ageSeconds } from '../../app/process/table.ts';
import { DarwinSource } from '../../main/os/darwin/ps/source.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';
import { PortableSource } from '../../main/os/portable/source.ts';
import { openMachine } from '../../main/os/open-machine.ts';
import { eventually } from './eventually.ts';
import { Children, running } from './process-source-children.ts';

/**
 * The source for macOS, with the ps of this machine, and the one of ps-list, both compared with
 * /proc.
 */

let children: Children;
let linux: LinuxSource;
let folder: string;
const uid = process.getuid?.() ?? 0;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-portable-')));
  children = new Children();
  linux = new LinuxSource({ environmentNames: [], uid });
});

afterEach(async () => {
  await children.endAll();
  rmSync(folder, { recursive: true, force: true });
});

const noPids = new Set<ProcessRow['pid']>();

const openDarwin = (): DarwinSource =>
  new DarwinSource({
    environmentNames: [],
    uid,
    dialect: { session: 'sid', terminal: 'tty' },
    readBootId: () => 'this boot',
  });

test('this platform has its own source', () => {
  const kept = { get: () => null, keep: () => undefined };
  expect(openMachine({ environmentNames: [], uid, proves: false, kept }).source.name).toBe('procfs');
});

describe('ps', () => {
  test('agrees with /proc on all values that both have', async () => {
    const shell = children.start('bash', ['-c', 'sleep 1000; true'], { detached: true });
    await running(shell.pid, 'bash');
    await running(children.start('sleep', ['1001']).pid, 'sleep');
    const read = (): ReadonlyMap<ProcessRow['pid'], ProcessRow | null> =>
      new Map([...linux.scan(noPids).rows.keys()].map((pid) => [pid, linux.read(pid)]));
    const before = read();
    const table = openDarwin().scan(noPids);
    const after = read();
    let compared = 0;
    for (const [pid, row] of table.rows) {
      const truth = after.get(pid) ?? null;
      if (truth === null || JSON.stringify(truth) !== JSON.stringify(before.get(pid))) continue;
      if (truth.argv.some((one) => !/^[\x20-\x7e]+$/.test(one))) continue;
      const { ppid, pgid, sid } = truth;
      // It can have run between the two equal readings.
      const states = truth.state === 'Z' || truth.state === 'T' ? [truth.state] : ['S', 'R', 'D', 'I'];
      expect(row).toMatchObject({ pid, ppid, pgid, sid, uid: truth.uid });
      expect(states).toContain(row.state);
      // ps shows neither where an argument ends nor how many blanks are in a row.
      const words = (argv: readonly string[]): string => argv.join(' ').replaceAll(/ +/g, ' ');
      expect(words(row.argv)).toBe(words(truth.argv));
      expect(row.tty === 0).toBe(truth.tty === 0);
      // stat counts resident memory less exactly than the source of procps.
      expect(row.rssBytes > 0).toBe(truth.rssBytes > 0);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(3);
    expect(table.complete).toBe(true);
    expect(table.rows.get(asPid(shell.pid))?.argv).toEqual(['bash', '-c', 'sleep 1000; true']);
  });

  test('ages agree to the second, which is the resolution of ps', async () => {
    const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
    const theirs = openDarwin().scan(noPids);
    const ours = linux.scan(noPids);
    const age = (table: typeof ours): number => ageSeconds(table, table.rows.get(pid)?.startTicks ?? Number.NaN);
    expect(Math.abs(age(theirs) - age(ours))).toBeLessThan(30);
  });

  test('an unchanged row is the same object; read returns an equal one, and null for a missing process', async () => {
    const child = children.start('sleep', ['1000']);
    const pid = await running(child.pid, 'sleep');
    const source = openDarwin();
    const row = source.scan(noPids).rows.get(pid);
    expect(source.scan(noPids).rows.get(pid)).toBe(row);
    expect(source.read(pid)).toEqual(row);
    await children.end(child);
    expect(source.read(pid)).toBeNull();
  });

  test("a process can't forge another row through its name or arguments", async () => {
    const victim = await running(children.start('sleep', ['1000']).pid, 'sleep');
    const line = `${victim} 1 1 1 ? 0 S Thu Jan  1 00:00:00 1970 00:00:00 1\n${victim} Thu Jan  1 00:00:00 1970 claude`;
    const liar = await running(
      children.start('sleep', ['1000'], { argv0: `x\n${line}\n${line}` }).pid,
      `x\n${line}\n${line}`,
    );
    const rows = openDarwin().scan(noPids).rows;
    expect(rows.get(victim)).toMatchObject({ ppid: process.pid, argv: ['sleep', '1000'] });
    expect(rows.get(liar)?.ppid).toBe(process.pid);
  });

  test('environments are unknown if ps is the only source', async () => {
    const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
    const source = openDarwin();
    const row = source.scan(noPids).rows.get(pid);
    expect(row && source.environment(row)).toBeNull();
  });

  const lsof = spawnSync('lsof', ['-v']).error === undefined;

  test.skipIf(!lsof)(
    `lsof reports folder, program, outputs and ports of a member${lsof ? '' : ' (SKIPPED: no lsof)'}`,
    async () => {
      const output = join(folder, 'b1.output');
      const out = openSync(output, 'a');
      const script = String.raw`
      use IO::Socket::INET; my $tcp = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1) or die;
      $0 = 'port ' . $tcp->sockport; sleep 1000`;
      const child = children.perl(script, [], { cwd: folder, stdio: ['ignore', out, out] });
      await eventually(() => expect(linux.read(asPid(child.pid))?.argv[0]).toMatch(/^port/));
      const port = Number(linux.read(asPid(child.pid))?.argv[0]?.split(' ')[1]);
      const source = openDarwin();
      const row = source.scan(noPids).rows.get(asPid(child.pid)) ?? null;
      const told = () => (row === null ? undefined : source.facts([row]).get(child.pid));
      expect(told()?.cwd).toBeNull();
      // It runs beside the looks.
      source.scan(noPids);
      await eventually(() => expect(told()?.cwd).not.toBeNull());
      const facts = told();
      const truth =
        row === null
          ? undefined
          : linux.facts([{ ...row, startTicks: linux.read(row.pid)?.startTicks ?? 0 }]).get(child.pid);
      expect(facts).toMatchObject({ cwd: folder, ports: [port], sockets: 0, executable: truth?.executable });
      expect(row && source.outputs(row)).toEqual([1, 2].map((fd) => ({ fd, target: output, deleted: false })));
      expect(facts?.openFiles?.map(({ fd }) => fd)).toEqual(truth?.openFiles?.map(({ fd }) => fd));
    },
  );
});

describe('ps-list', () => {
  test('agrees with /proc on parents and command lines, and never allows signals', async () => {
    const pid = await running(children.start('sleep', ['1000']).pid, 'sleep');
    const source = new PortableSource(uid);
    expect(() => source.scan(noPids)).toThrow('has not listed');
    await source.refresh();
    const row = source.scan(noPids).rows.get(pid);
    expect(row).toMatchObject({ pid, ppid: process.pid, comm: 'sleep', argv: ['sleep', '1000'], uid });
    expect(source.scan(noPids).complete).toBe(false);
    expect(source.canReap).toBe(false);
    expect(source.read()).toBeNull();
    await source.refresh();
    expect(source.scan(noPids).rows.get(pid)).toBe(row);
  });
});
