import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MuxProcesses } from '../../../main/agents/mux/task-notes.ts';
import { filesHere } from '../../../main/os/files/small-file.ts';
import { pidDomainOf } from '../../../main/agents/claude-code/sessions.ts';
import { SessionReader } from '../../../main/agents/session-directory.ts';
import { fakeMachine } from './fake-table.ts';
import { home, read, states, uid, write } from './registry-home.ts';
import { canLink, hasShell } from '../../needs.ts';

const first = '43c8e917-1111-2222-3333-444455556666';
const second = 'd6994008-f839-4c4b-ba20-4c872a9edc52';
const claude = ['/home/me/.local/bin/claude'];
const domainIn = (platform: NodeJS.Platform, pidNamespace: string | null): string | null =>
  pidDomainOf({ platform, machineId: null, pidNamespace });
const domain = domainIn('linux', '4026531836');

const entry = (pid: number, more: object = {}): object => ({
  pid,
  sessionId: first,
  cwd: '/home/me/shop',
  procStart: '1000',
  version: '2.1.329',
  kind: 'interactive',
  pidDomain: domain,
  status: 'busy',
  aFieldToCome: { deep: [1] },
  ...more,
});

describe('Claude Code’s registry', () => {
  test('a living session', () => {
    write('.claude/sessions/23.json', entry(23));
    const directory = read([{ pid: 23, argv: claude }]);
    expect(states(directory)).toEqual(['claude-code 43c8e917 23 live']);
    expect(directory.sessions[0]?.project).toBe('/home/me/shop');
    expect(directory.sessions[0]?.process).toMatchObject({ pid: 23, startTicks: 1000 });
    expect([...directory.completeFor]).toEqual(['claude-code']);
  });

  test.for([
    ['its process is gone', [], 'gone'],
    ['its pid belongs to another now', [{ pid: 23, argv: claude, startTicks: 2000 }], 'gone'],
    ['its process is a zombie', [{ pid: 23, argv: [], state: 'Z' }], 'gone'],
  ] as const)('a stale entry: %s', ([, plants, state]) => {
    write('.claude/sessions/23.json', entry(23));
    expect(read(plants).sessions[0]?.state).toBe(state);
  });

  test('where the machine hides processes, a missing one is not gone', () => {
    write('.claude/sessions/23.json', entry(23));
    expect(read([], { complete: false }).sessions[0]?.state).toBe('unknown');
  });

  test.for([
    ['another container', 'linux:0123:pid:[4026532178]'],
    ['another machine with the same first namespace', 'linux:0123:pid:[4026531836]'],
  ])('pids of %s mean nothing here', ([, pidDomain]) => {
    write('.claude/sessions/23.json', entry(23, { pidDomain }));
    const [session] = read([{ pid: 23, argv: claude }]).sessions;
    expect(session).toMatchObject({ id: first, pid: null, process: null, state: 'unknown' });
  });

  test('2.1.197 writes no domain', () => {
    write('.claude/sessions/23.json', entry(23, { pidDomain: undefined }));
    expect(read([{ pid: 23, argv: claude }]).sessions[0]?.state).toBe('live');
  });

  test('without a start time a living pid proves nothing, and a dead one only that it is not that process', () => {
    write('.claude/sessions/23.json', entry(23, { procStart: undefined }));
    expect(read([{ pid: 23, argv: claude }]).sessions[0]?.state).toBe('unknown');
    expect(read([]).sessions[0]).toMatchObject({ state: 'gone', claimant: true });
    write('.claude/sessions/23.json', entry(23));
    expect(read([]).sessions[0]).not.toHaveProperty('claimant');
  });

  test.for([
    ['of macOS', 'Thu Jun 11 21:53:36 2026'],
    ['of Windows', '133766208000000000'],
    ['that is not known', 'yesterday'],
  ])('a start in the form %s tells of no process here', ([, procStart]) => {
    for (const field of ['procStart', 'procStartFt']) {
      write('.claude/sessions/23.json', entry(23, { [field]: procStart }));
      expect(read([{ pid: 23, argv: claude }]).sessions[0]?.state).toBe('unknown');
      expect(read([]).sessions[0]?.state).toBe('unknown');
    }
  });

  test('a field of another name is noticed: what it said is unknown', () => {
    const { pid, sessionId, ...rest } = entry(23) as Record<string, unknown>;
    write('.claude/sessions/23.json', { ...rest, pid, session: sessionId });
    expect(read([]).unclear).toHaveLength(1);
    write('.claude/sessions/23.json', { ...rest, sessionId, process: pid });
    expect(read([]).unclear).toHaveLength(1);
    const { procStart, ...renamed } = entry(23) as Record<string, unknown>;
    write('.claude/sessions/23.json', { ...renamed, startedAt: procStart });
    expect(read([{ pid: 23, argv: claude }]).sessions[0]?.state).toBe('unknown');
  });

  test('a start time written as a date is meant in UTC', () => {
    const takenAtMs = Date.UTC(2026, 5, 11, 21, 55, 16);
    const startTicks = (takenAtMs - 100_000) * 1000;
    const { table: ofLinux, source } = fakeMachine([{ pid: 23, argv: claude, startTicks }], { takenAtMs });
    const table = { ...ofLinux, nowTicks: takenAtMs * 1000, ticksPerSecond: 1e6 };
    write('.claude/sessions/23.json', entry(23, { procStart: 'Thu Jun 11 21:53:36 2026', pidDomain: 'linux' }));
    const reader = new SessionReader({ source, home, uid, platform: 'darwin' });
    expect(reader.read(table).sessions[0]?.state).toBe('live');
    write('.claude/sessions/23.json', entry(23, { procStart: 'Thu Jun 11 20:53:36 2026', pidDomain: 'linux' }));
    expect(new SessionReader({ source, home, uid, platform: 'darwin' }).read(table).sessions[0]?.state).toBe('gone');
  });

  test.for([
    ['half written', '{"pid":24,"sess'],
    ['empty', ''],
    ['something else', '[1,2]'],
    ['another pid inside', JSON.stringify({ pid: 99, sessionId: first })],
    ['a session id that is none', JSON.stringify({ pid: 24, sessionId: '../../x' })],
    ['deep', '['.repeat(100_000)],
    ['a prototype', '{"__proto__":{"pid":24},"pid":"24","sessionId":{}}'],
    ['big', `{"pid":24,"sessionId":"${'x'.repeat(300_000)}"}`],
  ])('one entry that is %s: the others count, and nothing is concluded from absence', ([, text]) => {
    write('.claude/sessions/23.json', entry(23));
    write('.claude/sessions/24.json', text);
    const directory = read([{ pid: 23, argv: claude }]);
    expect(states(directory)).toEqual(['claude-code 43c8e917 23 live']);
    expect(directory.completeFor.size).toBe(0);
  });

  test.skipIf(!canLink())('a link to a file elsewhere is not opened', () => {
    const secret = write('secret.json', entry(24, { sessionId: second }));
    mkdirSync(join(home, '.claude/sessions'), { recursive: true });
    symlinkSync(secret, join(home, '.claude/sessions/24.json'));
    const directory = read([{ pid: 24, argv: claude }]);
    expect(states(directory)).toEqual(['claude-code undefined 24 unknown']);
    expect(directory.completeFor.size).toBe(0);
  });

  test.skipIf(!hasShell())('a pipe is not opened', () => {
    mkdirSync(join(home, '.claude/sessions'), { recursive: true });
    expect(spawnSync('mkfifo', [join(home, '.claude/sessions/24.json')]).status).toBe(0);
    const directory = read([{ pid: 24, argv: claude }]);
    expect(states(directory)).toEqual(['claude-code undefined 24 unknown']);
    expect(directory.completeFor.size).toBe(0);
  });

  test('a folder is not opened', () => {
    mkdirSync(join(home, '.claude/sessions/24.json'), { recursive: true });
    const directory = read([{ pid: 24, argv: claude }]);
    expect(states(directory)).toEqual(['claude-code undefined 24 unknown']);
    expect(directory.completeFor.size).toBe(0);
  });

  test('key files are none of our business', () => {
    write('.claude/sessions/23.json', entry(23));
    const key = write('.claude/sessions/23.88ed79.key', 'secret');
    chmodSync(key, 0o000);
    expect([...read([{ pid: 23, argv: claude }]).completeFor]).toEqual(['claude-code']);
  });

  test('no registry at all: a living claude is a session without a known id', () => {
    const directory = read([{ pid: 23, argv: ['claude', '', ''] }]);
    expect(states(directory)).toEqual(['claude-code undefined 23 unknown']);
    expect(directory.completeFor.size).toBe(0);
  });

  test('a configuration folder that an agent’s environment names is read too, also after that agent has ended', () => {
    const elsewhere = join(home, 'elsewhere');
    write('elsewhere/sessions/23.json', entry(23));
    const alive = fakeMachine([{ pid: 23, argv: claude, environment: { CLAUDE_CONFIG_DIR: elsewhere } }]);
    const reader = new SessionReader({ source: alive.source, home, uid, platform: 'linux' });
    expect(states(reader.read(alive.table))).toEqual(['claude-code 43c8e917 23 live']);
    expect(states(reader.read(fakeMachine([]).table))).toEqual(['claude-code 43c8e917 23 gone']);
  });

  test('an entry that changes is read again, an entry that is removed is forgotten', () => {
    const path = write('.claude/sessions/23.json', entry(23));
    const { table, source } = fakeMachine([{ pid: 23, argv: claude }]);
    const reader = new SessionReader({ source, home, uid, platform: 'linux' });
    expect(reader.read(table).sessions[0]?.id).toBe(first);
    writeFileSync(path, JSON.stringify(entry(23, { sessionId: second })));
    expect(reader.read(table).sessions[0]?.id).toBe(second);
    rmSync(path);
    const after = reader.read(table);
    expect(states(after)).toEqual(['claude-code undefined 23 unknown']);
    expect([...after.completeFor]).toEqual(['claude-code']);
  });
});

describe('sessions that another session has taken over', () => {
  const tasks = (session: string): string => `/tmp/claude-1000/-home-me-shop/${session}/tasks`;

  test('by the tasks folder that a living claude holds open', () => {
    const directory = read([
      { pid: 146, argv: ['claude bg-spare', '--bg-spare', '/x'], open: [tasks(first), tasks(second)] },
    ]);
    expect(directory.adoptions.map((one) => [one.session, one.by.pid])).toEqual([
      [first, 146],
      [second, 146],
    ]);
  });

  test('not by anything else that has it open', () => {
    expect(read([{ pid: 146, argv: ['ls', '-l'], open: [tasks(first)] }]).adoptions).toEqual([]);
    expect(read([{ pid: 146, argv: claude, open: [`${tasks(first)}/b.output`, '/tmp/tasks'] }]).adoptions).toEqual([]);
  });

  test('open files that can’t be read: nothing is concluded from absence', () => {
    write('.claude/sessions/23.json', entry(23));
    expect(read([{ pid: 23, argv: claude, open: null }]).completeFor.size).toBe(0);
  });

  const roster = {
    proto: 1,
    supervisorPid: 125,
    workers: {
      d6994008: {
        pid: 132,
        procStart: '900',
        sessionId: second,
        replPid: 146,
        replProcStart: '1000',
        dispatch: { launch: { mode: 'resume', sessionId: `/home/me/.claude/projects/-home-me-shop/${first}.jsonl` } },
      },
      broken: null,
      other: { pid: 'x' },
    },
  };

  test('by the daemon’s roster, while the process it names is that process', () => {
    write('.claude/daemon/roster.json', roster);
    const worker = { pid: 146, argv: ['claude bg-spare'] };
    expect(read([worker]).adoptions.map((one) => one.session)).toEqual([second, first]);
    expect(read([{ ...worker, startTicks: 2000 }]).adoptions).toEqual([]);
    expect(read([]).adoptions).toEqual([]);
  });

  test('shells on their way from one session to the next are left alone, but not for ever', () => {
    const handover = (writtenAtMs: number): object => ({
      writtenAtMs,
      shells: [{ taskId: 'b', pid: 70, startTimeTicks: 500 }],
    });
    write('.claude/jobs/d6994008/adopt.json', handover(Date.now()));
    expect(read([]).keptByAgent).toMatchObject([{ agent: 'claude-code', pid: 70, startTicks: 500 }]);
    write('.claude/jobs/d6994008/adopt.json', handover(Date.now() - 3_600_000));
    expect(read([]).keptByAgent).toEqual([]);
  });

  test('on another machine that counts by the clock over there, and where that is not told, always', () => {
    const farMs = Date.now() - 7 * 86_400_000;
    const shells = [{ taskId: 'b', pid: 70, startTimeTicks: 500 }];
    const { table, source } = fakeMachine([]);
    const keptAt = (nowMs: number | null): readonly unknown[] => {
      const elsewhere = { files: filesHere, machineId: 'elsewhere', nowMs: () => nowMs };
      return new SessionReader({ source, home, uid, platform: 'linux', elsewhere }).read(table).keptByAgent;
    };
    write('.claude/jobs/d6994008/adopt.json', { writtenAtMs: farMs, shells });
    expect(keptAt(farMs + 1_000)).toMatchObject([{ pid: 70 }]);
    expect(keptAt(null)).toMatchObject([{ pid: 70 }]);
    expect(keptAt(farMs + 3_600_000)).toEqual([]);
  });
});

describe('the others', () => {
  test('a Codex session lives while its transcript is held open; its launcher is not listed again', () => {
    const rollout = `/home/me/.codex/sessions/2026/11/21/rollout-2026-11-21T03-52-13-${second}.jsonl`;
    const directory = read([
      { pid: 20, argv: ['node', '/usr/bin/codex', 'exec'] },
      { pid: 32, ppid: 20, argv: ['/x/bin/codex', 'exec'], open: ['/dev/null', rollout] },
    ]);
    expect(states(directory)).toEqual(['codex d6994008 32 live']);
    expect(directory.completeFor.size).toBe(0);
  });

  test('agents without a registry are listed by their topmost process', () => {
    const directory = read([
      { pid: 19, argv: ['node', '/usr/bin/gemini'] },
      { pid: 31, ppid: 19, argv: ['/usr/bin/node', '--max-old-space-size=1', '/usr/bin/gemini'] },
      { pid: 40, argv: ['opencode'] },
      { pid: 41, argv: ['opencode'], state: 'Z' },
      { pid: 42, argv: ['opencode'], uid: uid + 1 },
      { pid: 43, argv: ['/x/bin/codex', 'app-server', 'daemon', 'pid-update-loop'] },
    ]);
    expect(states(directory)).toEqual(['gemini undefined 19 live', 'opencode undefined 40 live']);
  });

  test('mux: name, script and pid, as long as the note makes sense', () => {
    const processes = new MuxProcesses(uid);
    const folder = join(home, 'mux-bashes/ws/bash_1');
    expect(processes.read(folder)).toBe(null);
    const meta = { id: 'bash_1', pid: 77, script: 'npm test', displayName: 'Tests', status: 'running' };
    write('mux-bashes/ws/bash_1/meta.json', meta);
    expect(processes.read(folder)).toEqual({ displayName: 'Tests', script: 'npm test', pid: 77 });
    write('mux-bashes/ws/bash_1/meta.json', { ...meta, displayName: undefined });
    expect(processes.read(folder)).toEqual({ displayName: null, script: 'npm test', pid: 77 });
    for (const nonsense of ['nonsense', { ...meta, pid: 1 }, { ...meta, displayName: 7 }, [meta]]) {
      write('mux-bashes/ws/bash_1/meta.json', nonsense);
      expect(processes.read(folder)).toBe(null);
    }
  });

  test('the domain of this machine is written as Claude Code writes it', () => {
    const machine = existsSync('/etc/machine-id') ? readFileSync('/etc/machine-id', 'utf8').trim() : '';
    expect(domainIn('linux', '4026531836')).toBe(`linux:${machine}:pid:[4026531836]`);
    expect(domainIn('linux', 'pid:[4026531836]')).toBe(`linux:${machine}:pid:[4026531836]`);
    expect(domainIn('linux', null)).toBe(null);
    expect(domainIn('darwin', null)).toBe('linux');
    expect(pidDomainOf({ platform: 'linux', machineId: 'abc', pidNamespace: '1' })).toBe('linux:abc:pid:[1]');
  });
});

test('an agent that ended may have been taken over: who lives is looked into again at once', () => {
  const tasks = `/tmp/claude-${uid}/-home-me-shop/${first}/tasks`;
  const before = fakeMachine([
    { pid: 34, argv: claude, open: [tasks] },
    { pid: 461, argv: ['claude bg-spare'], open: [] },
  ]);
  const after = fakeMachine([{ pid: 461, argv: ['claude bg-spare'], open: [tasks] }]);
  let now = before;
  const source: (typeof before)['source'] = {
    pidNamespace: before.source.pidNamespace,
    environment: (row) => now.source.environment(row),
    facts: (rows) => now.source.facts(rows),
  };
  const reader = new SessionReader({ source, home, uid, platform: 'linux' });
  expect(reader.read(before.table).adoptions.map(({ by }) => Number(by.pid))).toEqual([34]);
  now = after;
  expect(reader.read(after.table).adoptions.map(({ by }) => Number(by.pid))).toEqual([461]);
});
