import { expect, test } from 'vitest';
import { asPid } from '../../../../../app/process/identity.ts';
import { NativeSource } from '../../../../../main/os/darwin/native/source.ts';
import { ProcessTableUnreadable } from '../../../../../main/os/processes/source.ts';
import { SimulatedKernel, type Simulated } from '../../../../darwin/simulated-kernel.ts';

interface Machine {
  /** A clock that is never set, milliseconds. */
  steadyMs: number;
  readonly kernel: SimulatedKernel;
  readonly curfew: Simulated;
  readonly source: NativeSource;
}

/** A Mac on which Curfew runs as the user 501. */
const machine = (): Machine => {
  const kernel = new SimulatedKernel();
  const curfew = kernel.launch({ argv: ['/Applications/Curfew.app/Contents/MacOS/Curfew'] });
  const source = new NativeSource({
    kernel,
    environmentNames: ['MARK', 'CURFEW_KEEP'],
    uid: 501,
    ownPid: curfew.pid,
    now: () => kernel.nowMs,
    steadyNow: () => one.steadyMs,
  });
  const one: Machine = { steadyMs: 0, kernel, curfew, source };
  return one;
};

const none: ReadonlySet<never> = new Set();

test('a row has what the kernel knows of a process', () => {
  const { kernel, source } = machine();
  const shell = kernel.launch({ argv: ['-zsh'], path: '/bin/zsh', tty: 0x1000_0003 });
  const child = kernel.start(shell, {
    argv: ['/opt/homebrew/bin/node', 'a.js'],
    env: ['MARK=7', 'SECRET=x'],
    group: true,
  });
  child.cpuTicks = 24_000_000;
  const row = source.scan(none).rows.get(asPid(child.pid));
  expect(row).toEqual({
    pid: child.pid,
    ppid: shell.pid,
    pgid: child.pid,
    sid: shell.pid,
    tty: 0x1000_0003,
    state: 'S',
    startTicks: child.start,
    startUpSeconds: child.startUp,
    cpuMs: 1_000,
    rssBytes: 4_096,
    uid: 501,
    comm: 'node',
    argv: ['/opt/homebrew/bin/node', 'a.js'],
    kernelThread: false,
    numbers: { own: child.uniqueId, starter: shell.uniqueId },
  });
  expect(row && source.environment(row)).toEqual({ MARK: '7' });
  expect(source.read(asPid(child.pid))).toEqual(row);
});

test('cost: calls at 2,000 processes of the user, at the first look and at a steady one', () => {
  const { kernel, source } = machine();
  const shell = kernel.launch({ argv: ['/opt/homebrew/bin/fish'] });
  for (let i = 0; i < 1_998; i++) kernel.start(shell, { argv: ['/opt/homebrew/bin/node', String(i)] });
  const total = (): number => [...kernel.counts.values()].reduce((sum, one) => sum + one, 0);
  kernel.counts.clear();
  source.scan(none);
  // Unique ids twice: before and after the arguments.
  expect(Object.fromEntries(kernel.counts)).toEqual({
    table: 1,
    'info 17': 4_000,
    'info 20': 2_000,
    arguments: 2_000,
    usage: 2_000,
    session: 1_998,
  });
  kernel.counts.clear();
  source.scan(new Set([asPid(shell.pid)]));
  expect(Object.fromEntries(kernel.counts)).toEqual({ table: 1, 'info 17': 2_000, usage: 1 });
  expect(total()).toBe(2_002);
});

test('an unchanged process keeps its row', () => {
  const { kernel, source } = machine();
  const sleeper = kernel.launch({ argv: ['/opt/bin/sleep', '60'] });
  const first = source.scan(none).rows.get(asPid(sleeper.pid));
  expect(source.scan(none).rows.get(asPid(sleeper.pid))).toBe(first);
});

test('what a program writes over its arguments changes nothing of what was seen first', () => {
  const { kernel, source } = machine();
  const node = kernel.launch({ argv: ['/opt/bin/node', 'next', 'dev'], env: ['MARK=7'] });
  source.scan(none);
  node.title = 'next-server (v15.0.0)';
  const row = source.scan(none).rows.get(asPid(node.pid));
  expect(row?.argv).toEqual(['/opt/bin/node', 'next', 'dev']);
  expect(source.readEnvironment(asPid(node.pid))).toEqual({ MARK: '7' });
});

test('after an exec it is the same process with other arguments', () => {
  const { kernel, source } = machine();
  const one = kernel.launch({ argv: ['/opt/bin/bash', '-c', 'exec sleep 60'], env: ['MARK=7'] });
  const before = source.scan(none).rows.get(asPid(one.pid));
  kernel.exec(one, { argv: ['/opt/bin/sleep', '60'], env: [] });
  const after = source.scan(none).rows.get(asPid(one.pid));
  expect(after?.startTicks).toBe(before?.startTicks);
  expect(after?.argv).toEqual(['/opt/bin/sleep', '60']);
  expect(after && source.environment(after)).toEqual({});
});

test('a pid that was given to another process is another process', () => {
  const { kernel, source } = machine();
  const one = kernel.launch({ argv: ['/opt/bin/sleep', '60'], env: ['MARK=7'] });
  const before = source.scan(none).rows.get(asPid(one.pid));
  kernel.end(one);
  kernel.reuse(one.pid);
  const other = kernel.launch({ argv: ['/opt/bin/vim'] });
  expect(other.pid).toBe(one.pid);
  const after = source.scan(none).rows.get(asPid(one.pid));
  expect(after?.startTicks).not.toBe(before?.startTicks);
  expect(after?.argv).toEqual(['/opt/bin/vim']);
  expect(before && source.facts([before]).size).toBe(0);
});

test('the environment of the system’s own programs is hidden, and says nothing', () => {
  const { kernel, source } = machine();
  const sleep = kernel.launch({ argv: ['/bin/sleep', '60'], env: ['MARK=7'] });
  const row = source.scan(none).rows.get(asPid(sleep.pid));
  expect(row?.argv).toEqual(['/bin/sleep', '60']);
  expect(row && source.environment(row)).toBeNull();
  expect(row && source.gaps.hidesEnvironment(row)).toBe(true);
  const facts = row && source.facts([row]).get(sleep.pid);
  expect(facts?.environment).toBeNull();
  expect(facts && 'hidden' in facts).toBe(false);
});

test('arguments that are refused are unknown, and may carry CURFEW_KEEP=1', () => {
  const { kernel, source } = machine();
  const one = kernel.launch({ argv: ['/opt/bin/sleep', '60'] });
  kernel.alter = (name, answer) => (name === 'arguments' ? { bytes: Buffer.alloc(0), errno: 22 } : answer);
  const row = source.scan(none).rows.get(asPid(one.pid));
  expect(row?.argv).toEqual([]);
  expect(row && source.facts([row]).get(one.pid)?.hidden).toBe('refused');
  expect(row && source.gaps.hidesEnvironment(row)).toBe(false);
  kernel.alter = (_name, answer) => answer;
  const later = source.scan(none).rows.get(asPid(one.pid));
  expect(later?.argv).toEqual(['/opt/bin/sleep', '60']);
  expect(later && source.facts([later]).get(one.pid)?.hidden).toBeUndefined();
});

test.each([
  ['signature', 'hidden', 'refused', undefined],
  ['info 20', 'launched', 'untold', { coalition: 51, leads: true }],
] as const)('%s that is refused once is asked again, and unknown until then', (call, fact, before, after) => {
  const { kernel, source } = machine();
  const sleep = kernel.launch({ argv: ['/bin/sleep', '60'] });
  const told = (): unknown => {
    const row = source.scan(none).rows.get(asPid(sleep.pid));
    return row && source.facts([row]).get(sleep.pid)?.[fact];
  };
  kernel.alter = (name, answer) => (name === call ? { bytes: Buffer.alloc(0), errno: 1 } : answer);
  expect(told()).toEqual(before);
  expect(told()).toEqual(before);
  kernel.alter = (_name, answer) => answer;
  sleep.title = 'another text';
  expect(told()).toEqual(after);
  expect(source.read(asPid(sleep.pid))?.argv).toEqual(['/bin/sleep', '60']);
});

test('a signature that comes together with an exec is none of the program before', () => {
  const { kernel, source } = machine();
  const one = kernel.launch({ argv: ['/bin/sleep', '60'] });
  kernel.alter = (name, answer) => (name === 'signature' ? { bytes: Buffer.alloc(0), errno: 1 } : answer);
  source.scan(none);
  kernel.alter = (_name, answer) => answer;
  kernel.before = (name) => {
    if (name !== 'signature') return;
    kernel.before = () => undefined;
    kernel.exec(one, { argv: ['/opt/bin/vim'], env: ['CURFEW_KEEP=1'] });
  };
  const hidden = (): boolean | undefined => {
    const row = source.scan(none).rows.get(asPid(one.pid));
    return row && source.gaps.hidesEnvironment(row);
  };
  expect([hidden(), hidden()]).toEqual([false, false]);
  expect(source.readEnvironment(asPid(one.pid))).toEqual({ CURFEW_KEEP: '1' });
});

test('a session that is not told is none, is not taken for its own, and is asked for again', () => {
  const { kernel, source } = machine();
  const shell = kernel.launch({ argv: ['/opt/bin/fish'] });
  const leader = kernel.start(shell, { argv: ['/opt/bin/node'], group: true });
  const session = () => source.scan(none).rows.get(asPid(leader.pid))?.sid;
  kernel.alter = (name, answer) => (name === 'session' ? { bytes: Buffer.alloc(0), errno: 1 } : answer);
  expect(session()).toBe(0);
  kernel.alter = (_name, answer) => answer;
  expect(session()).toBe(shell.sid);
});

test('what started an orphan stays known, also after the orphan called exec', () => {
  const { kernel, source } = machine();
  const shell = kernel.launch({ argv: ['/opt/bin/bash'] });
  const middle = kernel.start(shell, { argv: ['/opt/bin/bash', '-c', 'x &'] });
  const orphan = kernel.start(middle, { argv: ['/opt/bin/sleep', '60'] });
  const numbers = { own: orphan.uniqueId, starter: middle.uniqueId };
  expect(source.scan(none).rows.get(asPid(orphan.pid))).toMatchObject({ ppid: middle.pid, numbers });
  kernel.end(middle);
  kernel.exec(orphan, { argv: ['/opt/bin/node'] });
  expect(orphan.parentUniqueId).toBe(kernel.launchd.uniqueId);
  expect(source.scan(none).rows.get(asPid(orphan.pid))).toMatchObject({ ppid: 1, numbers });
});

test('coalitions: what launchd started, and what an agent started', () => {
  const { kernel, source } = machine();
  const terminal = kernel.launch({ argv: ['/Applications/iTerm.app/Contents/MacOS/iTerm2'] });
  const agent = kernel.start(terminal, { argv: ['/opt/bin/claude'] });
  const job = kernel.start(agent, { argv: ['/opt/bin/node', 'server.js'], setsid: true });
  const app = kernel.launch({ argv: ['/Applications/Word.app/Contents/MacOS/Word'], env: ['MARK=7'] });
  const { rows } = source.scan(none);
  const launched = (one: Simulated): unknown => {
    const row = rows.get(asPid(one.pid));
    return row && source.facts([row]).get(one.pid)?.launched;
  };
  expect(launched(job)).toEqual({ coalition: terminal.coalition, leads: false });
  expect(launched(app)).toEqual({ coalition: app.coalition, leads: true });
});

test('open files, folder, ports and both ends of sockets', () => {
  const { kernel, source } = machine();
  const server = kernel.launch({
    argv: ['/opt/bin/node', 'server.js'],
    cwd: '/Users/me/project',
    opened: [
      { fd: 0, kind: 'local', socket: 11, peer: 12 },
      { fd: 1, kind: 'pipe', handle: 21, peer: 22 },
      { fd: 2, kind: 'file', path: '/tmp/out.log', deleted: true },
      { fd: 3, kind: 'tcp', socket: 31, local: 3_000, foreign: 0, listens: true },
      { fd: 4, kind: 'tcp', socket: 32, local: 3_000, foreign: 50_001 },
    ],
  });
  const row = source.scan(none).rows.get(asPid(server.pid));
  const facts = row && source.facts([row]).get(server.pid);
  expect(facts).toMatchObject({
    cwd: '/Users/me/project',
    executable: '/opt/bin/node',
    ports: [3_000],
    openFiles: [
      { fd: 0, target: 'socket:[11]' },
      { fd: 1, target: 'pipe:[21]' },
      { fd: 2, target: '/tmp/out.log', deleted: true },
      { fd: 3, target: 'socket:[31]' },
      { fd: 4, target: 'socket:[32]' },
    ],
  });
  const asked = { pid: server.pid, files: facts?.openFiles ?? null, ports: new Set([3_000]) };
  expect(source.probing.possibleClients([asked])).toEqual([
    [{ by: 'connection', at: 'port 3000', from: '127.0.0.1:50001', peers: null }],
  ]);
  const client = kernel.launch({
    argv: ['/opt/bin/curl'],
    opened: [{ fd: 3, kind: 'tcp', socket: 33, local: 50_001, foreign: 3_000 }],
  });
  const both = source.probing.possibleClients([asked, { pid: client.pid, files: null, ports: new Set() }]);
  expect(both).toEqual([[{ by: 'connection', at: 'port 3000', from: '127.0.0.1:50001', peers: ['socket:[33]'] }], []]);
});

test('private channels, open and closed', () => {
  const { kernel, source } = machine();
  const open = kernel.launch({
    argv: ['/opt/bin/a'],
    opened: [
      { fd: 0, kind: 'local', socket: 11, peer: 12 },
      { fd: 1, kind: 'pipe', handle: 21, peer: 22 },
      { fd: 2, kind: 'file', path: '/dev/null', device: true },
    ],
  });
  const closed = kernel.launch({
    argv: ['/opt/bin/b'],
    opened: [
      { fd: 0, kind: 'local', socket: 13, peer: 0 },
      { fd: 1, kind: 'pipe', handle: 23, peer: 0 },
      { fd: 2, kind: 'local', socket: 14, peer: 0, name: '/tmp/x.sock' },
    ],
  });
  const round = source.channels();
  expect(round.of(open.pid)?.standard).toEqual([
    { kind: 'pair', far: 'open' },
    { kind: 'pipe', far: 'open' },
    { kind: 'null', far: 'unknown' },
  ]);
  expect(round.of(closed.pid)?.standard).toEqual([
    { kind: 'pair', far: 'closed' },
    { kind: 'pipe', far: 'closed' },
    { kind: 'named', far: 'unknown' },
  ]);
  expect(round.of(closed.pid)?.listens).toEqual(['/tmp/x.sock']);
  expect(round.ends(open.pid)).toEqual(new Set(['socket:[11]', 'pipe:[21]']));
});

test('a table without this very process, or in another form, is no empty machine', () => {
  const { kernel, curfew, source } = machine();
  kernel.alter = (name, answer) => (name === 'table' ? { bytes: Buffer.alloc(0), errno: 1 } : answer);
  expect(() => source.scan(none)).toThrow(ProcessTableUnreadable);
  kernel.alter = (name, answer) => (name === 'table' ? { ...answer, bytes: answer.bytes.subarray(0, -3) } : answer);
  kernel.launch({ argv: ['/opt/bin/last'] });
  expect(source.scan(none).complete).toBe(false);
  kernel.alter = (_name, answer) => answer;
  kernel.end(curfew);
  expect(() => source.scan(none)).toThrow(ProcessTableUnreadable);
});

test('open files that take long to read, as on a network volume, are not read again for a while', () => {
  const one = machine();
  const { kernel, source } = one;
  const editor = kernel.launch({
    argv: ['/opt/bin/node'],
    env: ['CURFEW_KEEP=1'],
    opened: [{ fd: 1, kind: 'file', path: '/Volumes/far/x' }],
  });
  const row = source.scan(none).rows.get(asPid(editor.pid));
  const facts = () => row && source.facts([row]).get(editor.pid);
  const read = () => facts()?.openFiles?.length;
  kernel.before = (name) => {
    if (name === 'file 2') one.steadyMs += 30_000;
  };
  expect(read()).toBe(1);
  kernel.counts.clear();
  expect(read()).toBeUndefined();
  expect(row && source.outputs(row)).toBeNull();
  expect(kernel.counts.get('file 2')).toBeUndefined();
  expect(facts()).toMatchObject({ environment: { CURFEW_KEEP: '1' }, openFiles: null, cwd: null });
  one.steadyMs += 11 * 60_000;
  expect(read()).toBe(1);
});

test('a look that the kernel holds up is given up, and the next one is made', () => {
  const one = machine();
  const { kernel, source } = one;
  for (let count = 0; count < 10; count += 1) kernel.launch({ argv: ['/opt/bin/node'] });
  kernel.before = (name) => {
    if (name === 'info 17') one.steadyMs += 1_000;
  };
  kernel.counts.clear();
  expect(() => source.scan(none)).toThrow('took more than 2 s');
  expect(kernel.counts.get('info 17')).toBeLessThan(10);
  kernel.before = () => undefined;
  expect(source.scan(none).rows.size).toBe(12);
});

test('a table that grows beyond its room is asked for again with more', () => {
  const { kernel, source } = machine();
  const shell = kernel.launch({ argv: ['/opt/bin/fish'], uid: 502 });
  for (let i = 0; i < 9_000; i++) kernel.start(shell, { argv: ['/opt/bin/node'] });
  kernel.counts.clear();
  expect(source.scan(none).rows.size).toBe(9_003);
  expect(kernel.counts.get('table')).toBe(3);
});

test('a process of which the ids are refused has a row without them, proves nothing, and is left alone', () => {
  const { kernel, source } = machine();
  const secret = kernel.launch({ argv: ['/opt/bin/secret'], env: ['MARK=1'] });
  const other = kernel.launch({ argv: ['/opt/bin/other'] });
  const isComplete = (): boolean => source.scan(none).complete;
  expect(isComplete()).toBe(true);
  kernel.alter = (name, answer, pid) =>
    name === 'info 17' && pid === secret.pid ? { bytes: Buffer.alloc(0), errno: 1 } : answer;
  const table = source.scan(none);
  expect([table.complete, table.unread, table.missed]).toEqual([false, 1, 0]);
  const row = table.rows.get(asPid(secret.pid));
  expect(row).toMatchObject({ comm: 'secret', argv: [], uid: 501 });
  expect(row).not.toHaveProperty('numbers');
  expect(table.rows.get(asPid(other.pid))?.numbers?.own).toBe(other.uniqueId);
  expect(source.read(asPid(secret.pid))).toEqual(row);
  const facts = row && source.facts([row]).get(secret.pid);
  expect(facts).toMatchObject({ environment: null, hidden: 'refused', launched: 'untold' });
  kernel.alter = (_name, answer) => answer;
  expect(isComplete()).toBe(true);
});

test('the console is a terminal, although its device has number 0', () => {
  const { kernel, source } = machine();
  const shell = kernel.launch({ argv: ['-zsh'], tty: 1 });
  const tty = (device: number): number | undefined => {
    kernel.alter = (name, answer) => {
      if (name !== 'row') return answer;
      const bytes = Buffer.from(answer.bytes);
      bytes.writeInt32LE(device, 572);
      return { ...answer, bytes };
    };
    return source.read(asPid(shell.pid))?.tty;
  };
  expect([tty(-1), tty(0), tty(0x1000_0003)]).toEqual([0, 2 ** 32, 0x1000_0003]);
});

test('rows of pids that no macOS gives out make a table that says how many it could not read', () => {
  const { kernel, source } = machine();
  kernel.reuse(100_000);
  kernel.launch({ argv: ['/opt/bin/late'] });
  const { complete, unread } = source.scan(none);
  expect([complete, unread]).toEqual([false, 1]);
});
