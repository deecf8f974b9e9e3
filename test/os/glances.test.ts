import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asPid } from '../../app/process/identity.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';
import { eventually } from './eventually.ts';
import { Children } from './process-source-children.ts';

let children: Children;
let source: LinuxSource;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-glances-'));
  children = new Children();
  source = new LinuxSource({ environmentNames: [], uid: process.getuid?.() ?? 0 });
});

afterEach(async () => {
  await children.endAll();
  rmSync(folder, { recursive: true, force: true });
});

/** This test stands for the agent, or another process does. */
const agent = (pid = process.pid) => {
  const row = source.read(asPid(pid));
  if (row === null) throw new Error(`Process ${pid} can be read.`);
  return { pid, startTicks: row.startTicks };
};

/** A tool shell that takes its orders, one a line, from its standard input. */
const shell = () => {
  const child = children.start('sh', [], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const says = async (line: string): Promise<string> => {
    child.stdin?.write(`${line}\n`);
    if (child.stdout === null) throw new Error('It was given one.');
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return String(said).trim();
  };
  return { child, pid: child.pid ?? 0, says };
};

const seen = (pid: number) => source.glances.glimpses.find((one) => one.pid === pid) ?? null;

/** Glances until it is seen as a tool shell; returns what was said of calls. */
const untilSeen = async (one: ReturnType<typeof agent>, pid: number): Promise<readonly unknown[]> => {
  const said: unknown[] = [];
  await eventually(() => {
    said.push(source.glances.glance([one]).call);
    expect(seen(pid)?.leadsCall).toBe(true);
  });
  return said;
};

describe('a glance', () => {
  test('sees a tool shell, and what it started and lost in its kernel session', async () => {
    const one = agent();
    source.glances.glance([one]);
    const { pid, says } = shell();
    await untilSeen(one, pid);
    const left = Number(await says('(sleep 1000 </dev/null >/dev/null 2>&1 & echo $!)'));
    expect(source.read(asPid(left))?.ppid).not.toBe(pid);
    source.glances.glance([one]);
    expect(seen(left)).toMatchObject({ agent: one, leadsCall: false });
    await says(`kill ${left}; echo`);
  });

  test('takes no child that an agent has at its first glance for a call: a shell that became it may have started that', async () => {
    const one = agent();
    const begin = () => children.start('sh', ['-c', 'sleep 1000; true'], { stdio: 'ignore' }).pid ?? 0;
    const isShell = (pid: number) => source.read(asPid(pid))?.argv.at(-1) === 'sleep 1000; true';
    const older = begin();
    await eventually(() => expect(isShell(older)).toBe(true));
    const apart = shell();
    source.glances.glance([one]);
    const left = Number(await apart.says('sleep 1000 </dev/null >/dev/null 2>&1 & echo $!'));
    const own = begin();
    const agents = [one];
    await eventually(() => {
      source.glances.glance(agents);
      expect(seen(own)).toHaveProperty('shell');
    });
    expect([older, apart.pid, left].map(seen)).toEqual([null, null, null]);
    await apart.says(`kill ${left}; echo`);
  });

  test('tells nothing of what shares the kernel session of the agent and is no shell: it may be a part of it', async () => {
    const one = agent();
    const agents = [one];
    source.glances.glance(agents);
    const part = children.start('sleep', ['1000']).pid ?? 0;
    const { pid } = shell();
    await eventually(() => {
      source.glances.glance(agents);
      expect(source.read(asPid(part))?.comm).toBe('sleep');
      expect(seen(pid)?.leadsCall).toBe(true);
    });
    source.glances.glance(agents);
    expect(seen(part)).toBeNull();
  });

  test('takes no child of a shell that runs a script for a call, nor once it has become the agent', async () => {
    const script = join(folder, 'aider');
    const begin = "sh -c 'sleep 1000; true' </dev/null >/dev/null 2>&1 & echo $!";
    writeFileSync(
      script,
      `read _; ${begin}; read _; exec ${process.execPath} -e "
      const { spawn } = require('node:child_process');
      process.stdin.once('data', () => console.log(spawn('sh', ['-c', 'sleep 1000; true'], { stdio: 'ignore' }).pid));
      console.log('ready');"`,
    );
    const wrapper = children.start('sh', [script], { stdio: ['pipe', 'pipe', 'ignore'] });
    const says = async (): Promise<string> => {
      wrapper.stdin?.write('\n');
      const [said] = (await once(wrapper.stdout as NodeJS.EventEmitter, 'data')) as [Buffer];
      return String(said).trim();
    };
    await eventually(() => expect(source.read(asPid(wrapper.pid ?? 0))?.argv[1]).toBe(script));
    const agents = [agent(wrapper.pid)];
    source.glances.glance(agents);
    const before = Number(await says());
    const isShell = (pid: number) => source.read(asPid(pid))?.argv.at(-1) === 'sleep 1000; true';
    await eventually(() => expect(isShell(before)).toBe(true));
    source.glances.glance(agents);
    expect(source.glances.ranSince(wrapper.pid ?? 0)).toBeNull();
    expect(await says()).toBe('ready');
    source.glances.glance(agents);
    const own = Number(await says());
    await eventually(() => {
      source.glances.glance(agents);
      expect(seen(own)).toHaveProperty('shell');
    });
    expect(seen(before)).toBeNull();
    const starts = [before, own].map((pid) => source.read(asPid(pid))?.startTicks ?? 0);
    const since = source.glances.ranSince(wrapper.pid ?? 0) ?? 0;
    expect(starts.map((ticks) => ticks > since)).toEqual([false, true]);
    for (const pid of [before, own]) process.kill(pid);
  });

  test('sees a call that was forked and stays for long what its agent is before it becomes a shell', async () => {
    const begin = "exec 'sh', '-c', 'sleep 1000; true'";
    const forks = `use POSIX; $| = 1; <STDIN>; my $pid = fork; if (!$pid) { <STDIN>; setsid; ${begin} } print $pid; sleep 1000`;
    const perl = children.start('perl', ['-e', forks], { stdio: ['pipe', 'pipe', 'ignore'] });
    const agents = [agent(perl.pid)];
    source.glances.glance(agents);
    perl.stdin?.write('\n');
    const [said] = (await once(perl.stdout as NodeJS.EventEmitter, 'data')) as [Buffer];
    const pid = Number(String(said));
    source.glances.glance(agents);
    // Longer than a fork takes but on a machine with more work than cores.
    await setTimeout(300);
    source.glances.glance(agents);
    expect(seen(pid)).toBeNull();
    perl.stdin?.write('\n');
    await eventually(() => {
      source.glances.glance(agents);
      expect(seen(pid)?.leadsCall).toBe(true);
    });
    process.kill(pid);
  });

  test('does not see what left the kernel session and its parent before it', async () => {
    const one = agent();
    source.glances.glance([one]);
    const { pid, says } = shell();
    await untilSeen(one, pid);
    const left = Number(await says('(setsid sh -c "echo \\$\\$; exec sleep 1000 >/dev/null 2>&1 </dev/null" &)'));
    // The subshell that started it may live for a moment longer, and a parent in the kernel session
    // is a witness.
    await eventually(() => {
      const row = source.read(asPid(left));
      expect(row).toMatchObject({ comm: 'sleep', sid: left });
      expect(source.read(asPid(row?.ppid ?? 0))?.sid).not.toBe(pid);
    });
    source.glances.glance([one]);
    expect(seen(left)).toBeNull();
    await says(`kill ${left}; echo`);
  });

  test('does not see what a shell started that this agent did not', async () => {
    const { pid, says } = shell();
    const other = agent(children.start('sleep', ['1000']).pid);
    source.glances.glance([other]);
    const left = Number(await says('(sleep 1000 </dev/null >/dev/null 2>&1 & echo $!)'));
    source.glances.glance([other]);
    expect([seen(pid), seen(left)]).toEqual([null, null]);
    await says(`kill ${left}; echo`);
  });

  test('says when a call begins and when the last one has returned', async () => {
    const one = agent();
    source.glances.glance([one]);
    const { child, pid } = shell();
    const said = await untilSeen(one, pid);
    expect(said).toContain('began');
    expect(said).not.toContain('returned');
    child.stdin?.end();
    await once(child, 'exit');
    expect(source.glances.glance([one]).call).toBe('returned');
    expect(source.glances.glance([one]).call).toBeNull();
  });
});

describe('what a process has open to write to', () => {
  test('is its files open for writing and its folders, not what it reads or all users share', () => {
    writeFileSync(join(folder, 'read'), '');
    const descriptors = [
      openSync(join(folder, 'written'), 'w'),
      openSync(join(folder, 'read'), 'r'),
      openSync(folder, 'r'),
      openSync('/tmp', 'r'),
    ];
    const found = source.glances.written(process.pid);
    const ends = (fd: number | undefined) => found.find(({ path }) => path.endsWith(`/${fd}`))?.kind ?? null;
    expect(descriptors.map(ends)).toEqual(['file', null, 'folder', null]);
    for (const fd of descriptors) closeSync(fd);
  });

  test('is nothing where there is no such process', () => {
    expect(source.glances.written(4_000_000)).toEqual([]);
  });
});
