import { expect, test } from 'vitest';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { NativeSource } from '../../../../main/os/windows/native/source.ts';
import { sourceOn } from '../../../windows/asked.ts';
import { ProcessTableUnreadable } from '../../../../main/os/processes/source.ts';
import { SimulatedWindows, type Simulated } from '../../../windows/simulated-windows.ts';

interface Machine {
  readonly kernel: SimulatedWindows;
  readonly curfew: Simulated;
  readonly source: NativeSource;
}

/** A Windows on which Curfew runs as the user, number 0 to itself. */
const machine = (): Machine => {
  const kernel = new SimulatedWindows();
  const curfew = kernel.start(kernel.explorer, { commandLine: '"C:\\Program Files\\nodejs\\node.exe" curfew.js' });
  const source = sourceOn(kernel, curfew, ['MARK', 'CURFEW_KEEP']);
  return { kernel, curfew, source };
};

const none: ReadonlySet<never> = new Set();
const rowOf = (source: NativeSource, { pid }: Simulated): ProcessRow | undefined =>
  source.scan(none).rows.get(asPid(pid));
const factsOf = (source: NativeSource, one: Simulated) => {
  const row = rowOf(source, one);
  return row === undefined ? undefined : source.facts([row]).get(one.pid);
};

test('a row has what Windows knows of a process', () => {
  const { kernel, source } = machine();
  const shell = kernel.start(kernel.explorer, { image: 'pwsh.exe' });
  const child = kernel.start(shell, {
    image: 'Node.EXE',
    commandLine: '"c:\\Program Files\\nodejs\\Node.EXE" "a b.js" C:\\x\\',
    environment: ['=C:=C:\\work', 'mark=7', 'SECRET=x', 'Path=C:\\'],
    cpu: 25_000_000n,
  });
  const row = rowOf(source, child);
  expect(row).toEqual({
    pid: child.pid,
    ppid: shell.pid,
    pgid: child.pid,
    sid: shell.pid,
    tty: 0,
    state: 'S',
    startTicks: Number(child.created - 130_645_440_000_000_000n),
    cpuMs: 2_500,
    rssBytes: 4_096,
    uid: 0,
    comm: 'node',
    argv: ['C:/Program Files/nodejs/node', 'a b.js', 'C:\\x\\'],
    kernelThread: false,
    windows: { console: true, unsureParent: false },
  });
  expect(row && source.environment(row)).toEqual({ MARK: '7' });
  expect(source.read(asPid(child.pid))).toEqual(row);
});

test('a parent counts only where it is older than its child', () => {
  const { kernel, source } = machine();
  const shell = kernel.start(kernel.explorer, { image: 'bash.exe' });
  const orphan = kernel.start(shell, { image: 'tail.exe' });
  expect(rowOf(source, orphan)?.ppid).toBe(shell.pid);
  const start = rowOf(source, shell)?.startTicks;
  kernel.end(shell);
  // The number of the dead shell goes to a program of the user.
  const editor = kernel.start(kernel.explorer, { pid: shell.pid, image: 'code.exe' });
  expect(rowOf(source, orphan)).toMatchObject({ ppid: 0, starter: { pid: shell.pid, startTicks: start } });
  expect(source.read(asPid(orphan.pid))?.ppid).toBe(0);
  expect(rowOf(source, editor)).toMatchObject({ ppid: kernel.explorer.pid });
  expect(source.records.parent(asPid(orphan.pid))).toBe(shell.pid);
});

test('a process whose parent was dead from its birth names no starter', () => {
  const { kernel, source } = machine();
  const orphan = kernel.start(null, { parent: 9_000, image: 'tail.exe' });
  const row = rowOf(source, orphan);
  expect(row).toMatchObject({ ppid: 0, sid: orphan.pid });
  expect(row).not.toHaveProperty('starter');
});

test('whose a process is: unknown for other users, sessions, elevated, protected ones', () => {
  const { kernel, source } = machine();
  const cases = [
    kernel.start(kernel.explorer, { user: 1002 }),
    kernel.start(kernel.explorer, { user: 0 }),
    kernel.start(kernel.explorer, { session: 2 }),
    kernel.start(kernel.explorer, { elevated: true }),
    kernel.start(kernel.explorer, { integrity: 0x3000 }),
    kernel.start(kernel.explorer, { critical: true }),
  ];
  for (const one of cases) {
    expect(rowOf(source, one)).toMatchObject({ uid: null, cpuMs: 0 });
    expect(source.read(asPid(one.pid))).toMatchObject({ uid: null });
    expect(factsOf(source, one)).toBeUndefined();
  }
});

test('of a process whose memory is closed the command line is known by its class', () => {
  const { kernel, source } = machine();
  const closed = kernel.start(kernel.explorer, { closed: true, commandLine: 'x.exe "a b"' });
  const row = rowOf(source, closed);
  expect(row).toMatchObject({ uid: 0, argv: ['x', 'a b'] });
  expect(row && source.environment(row)).toBeNull();
});

test('the host of a console is a part of the system', () => {
  const { kernel, source } = machine();
  const shell = kernel.start(kernel.explorer, { image: 'cmd.exe' });
  expect(rowOf(source, kernel.start(shell, { image: 'conhost.exe' }))?.kernelThread).toBe(true);
});

test('a program that was started without a console leads a session of its own', () => {
  const { kernel, source } = machine();
  const terminal = kernel.start(kernel.explorer, { image: 'WindowsTerminal.exe' });
  const user = kernel.start(terminal, { image: 'pwsh.exe' });
  const agent = kernel.start(user, { image: 'claude.exe' });
  const server = kernel.start(agent);
  const shell = kernel.start(agent, { image: 'bash.exe', console: false });
  const child = kernel.start(shell);
  expect(rowOf(source, user)?.sid).toBe(user.pid);
  expect(rowOf(source, server)?.sid).toBe(user.pid);
  expect(rowOf(source, shell)?.sid).toBe(shell.pid);
  expect(rowOf(source, child)?.sid).toBe(shell.pid);
  kernel.end(shell);
  expect(rowOf(source, child)).toMatchObject({ sid: shell.pid, ppid: 0 });
  expect(source.read(asPid(child.pid))).toMatchObject({ sid: shell.pid, ppid: 0 });
});

test('facts: folder, files, ports, windows', () => {
  const { kernel, source } = machine();
  const one = kernel.start(kernel.explorer, {
    folder: 'C:\\work\\shop\\',
    standard: ['pipe', 'C:\\Temp\\b1.output', 'C:\\Temp\\b1.output'],
  });
  kernel.tcp = [
    { listens: true, local: 3000, pid: one.pid },
    { local: 3000, remote: 5000, pid: one.pid },
    { local: 5000, remote: 3000, pid: 0 },
  ];
  expect(factsOf(source, one)).toMatchObject({
    environment: {},
    cwd: 'C:/work/shop',
    executable: 'C:/bin/node',
    ports: [3000],
    sockets: 1,
    openFiles: [
      { fd: 0, target: 'other', deleted: false },
      { fd: 1, target: 'C:/Temp/b1.output', deleted: false },
      { fd: 2, target: 'C:/Temp/b1.output', deleted: false },
      { fd: -1, deleted: false },
    ],
  });
  expect(factsOf(source, one)).not.toHaveProperty('displays');
  kernel.shown = [{ window: 7, pid: one.pid, visible: true, kind: 'Notepad' }];
  expect(factsOf(source, one)).toMatchObject({ displays: [{ at: 'the desktop', peer: null }] });
  expect(source.portsInUse()).toEqual(new Set([3000]));
  const asked = [{ pid: one.pid, files: null, ports: new Set([3000]) }];
  expect(source.sockets.possibleClients(asked)).toMatchObject([[{ by: 'connection', at: 'port 3000' }]]);
});

test('an environment that only has what every program needs may carry anything elsewhere', () => {
  const { kernel, source } = machine();
  const tail = kernel.start(kernel.explorer, { environment: ['PATH=C:\\', 'SystemRoot=C:\\Windows'] });
  const found = factsOf(source, tail);
  expect(found).toMatchObject({ environment: null, hidden: 'refused' });
});

test('an environment that can not be read may carry anything', () => {
  const { kernel, source } = machine();
  const odd = kernel.start(kernel.explorer, { environment: ['without a sign'] });
  expect(factsOf(source, odd)).toMatchObject({ environment: null, hidden: 'refused' });
});

test('cost: calls at 300 processes of the user, at the first look and at a steady one', () => {
  const { kernel, source } = machine();
  for (let i = 0; i < 298; i++) kernel.start(kernel.explorer);
  source.scan(none);
  kernel.counts.clear();
  source.scan(none);
  expect(Object.fromEntries(kernel.counts)).toEqual({ table: 1 });
  expect(kernel.handles.size).toBe(0);
});

test('an unchanged process keeps its row', () => {
  const { kernel, curfew, source } = machine();
  const other = kernel.start(kernel.explorer);
  const before = source.scan(none);
  other.cpu = 50_000_000n;
  const after = source.scan(none);
  expect(after.rows.get(asPid(curfew.pid))).toBe(before.rows.get(asPid(curfew.pid)));
  expect(after.rows.get(asPid(other.pid))).not.toBe(before.rows.get(asPid(other.pid)));
});

test('what has ended is not read, and a number that is no pid is no process', () => {
  const { kernel, source } = machine();
  const one = kernel.start(kernel.explorer);
  kernel.end(one);
  expect(source.read(asPid(one.pid))).toBeNull();
  expect(source.read(asPid(one.pid + 1))).toBeNull();
  one.ended = true;
  kernel.processes.set(one.pid, one);
  expect(source.read(asPid(one.pid))).toBeNull();
  expect(rowOf(source, one)).toMatchObject({ state: 'Z', argv: [] });
});

test('what the clock gains on the time awake is told, and that it can be set', () => {
  const { kernel, source } = machine();
  const before = source.scan(none).suspendedTicks ?? Number.NaN;
  for (const [seconds, gained] of [
    [60, 60],
    [-3_600, -3_540],
  ] as const) {
    kernel.setClock(seconds);
    expect(source.scan(none)).toMatchObject({ clockIsSet: true, suspendedTicks: before + gained * 10_000_000 });
  }
  kernel.refused = new Set(['awake']);
  expect(source.scan(none).suspendedTicks).toBeNull();
});

test('a process that is seen before its first thread is asked whose it is when it has one', () => {
  const { kernel, source } = machine();
  const young = kernel.start(kernel.explorer, { environment: ['Path=C:\\', 'MARK=1'] });
  young.ended = true;
  expect(rowOf(source, young)).toMatchObject({ uid: null, state: 'Z' });
  young.ended = false;
  expect(rowOf(source, young)).toMatchObject({ uid: 0, state: 'S' });
  expect(source.environment(rowOf(source, young) as ProcessRow)).toMatchObject({ MARK: '1' });
});

test('a kernel whose own process has no start leaves the table whole', () => {
  const { kernel, curfew } = machine();
  const system = kernel.processes.get(4) as Simulated;
  Object.defineProperty(system, 'created', { value: 0n });
  const source = new NativeSource({ kernel, environmentNames: [], uid: 0, ownPid: curfew.pid });
  expect(source.scan(none)).toMatchObject({ complete: true });
  expect(String(source.bootId)).toMatch(/^windows-\d+$/u);
});

test('a table without this very process is no table', () => {
  const { kernel, curfew, source } = machine();
  kernel.end(curfew);
  expect(() => source.scan(none)).toThrow(ProcessTableUnreadable);
  expect(() => new NativeSource({ kernel, environmentNames: [], uid: 0, ownPid: curfew.pid })).toThrow(
    ProcessTableUnreadable,
  );
});
