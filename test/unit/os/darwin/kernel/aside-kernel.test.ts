import { expect, test } from 'vitest';
import { asPid } from '../../../../../app/process/identity.ts';
import { asideKernel, type AsideCalls, withCallsAside } from '../../../../../main/os/darwin/kernel/aside.ts';
import { ProcessTableUnreadable } from '../../../../../main/os/processes/source.ts';
import { NativeSource } from '../../../../../main/os/darwin/native/source.ts';
import { SimulatedKernel } from '../../../../darwin/simulated-kernel.ts';

test.skipIf(process.platform === 'darwin')('where no thread can make the calls, each is waited for', () => {
  const real = new SimulatedKernel();
  const one = real.launch({ argv: ['/opt/bin/node'] });
  const kernel = withCallsAside(real);
  if ('reason' in kernel) throw new Error(kernel.reason);
  expect(kernel.call('path', one.pid, 0, 0, 4_096).bytes.toString()).toBe('/opt/bin/node');
  expect(kernel.unanswered?.()).toEqual([]);
  expect(withCallsAside({ reason: 'none' })).toEqual({ reason: 'none' });
});

/** A Mac on which what asks file systems about some processes never returns. */
const machine = () => {
  const real = new SimulatedKernel();
  const hung = new Set<number>();
  const asked: string[] = [];
  const ask: AsideCalls['ask'] = (name, pid, flavor, arg, size) => {
    asked.push(`${name} ${flavor}`);
    return hung.has(pid) ? null : real.call(name, pid, flavor, arg, size);
  };
  const one = { isStuck: false };
  const table: AsideCalls['table'] = (size) => (one.isStuck ? null : real.sysctl([1, 14, 0], size));
  const kernel = asideKernel(real, { ask, table, windows: () => null, unanswered: () => [...hung] });
  const curfew = real.launch({ argv: ['/Applications/Curfew.app/Contents/MacOS/Curfew'] });
  const server = real.launch({
    argv: ['/opt/bin/node', 'server.js'],
    cwd: '/Volumes/far',
    opened: [
      { fd: 0, kind: 'local', socket: 11, peer: 12 },
      { fd: 1, kind: 'file', path: '/Volumes/far/out.log' },
      { fd: 2, kind: 'pipe', handle: 21, peer: 0 },
      { fd: 3, kind: 'tcp', socket: 31, local: 3_000, foreign: 0, listens: true },
    ],
  });
  const source = new NativeSource({
    kernel,
    environmentNames: [],
    uid: 501,
    ownPid: curfew.pid,
    now: () => real.nowMs,
  });
  const facts = () => {
    const row = source.scan(new Set()).rows.get(asPid(server.pid));
    return row && source.facts([row]).get(server.pid);
  };
  return { one, real, hung, asked, source, server, facts };
};

test('only calls that ask a file system are made aside', () => {
  const { asked, facts } = machine();
  expect(facts()).toMatchObject({ cwd: '/Volumes/far', executable: '/opt/bin/node', ports: [3_000] });
  expect(asked).toEqual(['file 2', 'info 9', 'path 0']);
});

test('where the table does not come there is no look, and no other call is made', () => {
  const { one, real, source } = machine();
  source.scan(new Set());
  one.isStuck = true;
  real.counts.clear();
  expect(() => source.scan(new Set())).toThrow(ProcessTableUnreadable);
  expect(() => source.scan(new Set())).toThrow('does not tell its processes');
  expect(real.counts.size).toBe(0);
  one.isStuck = false;
  expect(source.scan(new Set()).rows.size).toBe(3);
});

test('what never answers is unknown, and everything else of the process is known', () => {
  const { hung, source, server, facts } = machine();
  hung.add(server.pid);
  expect(facts()).toMatchObject({
    cwd: null,
    executable: null,
    ports: [3_000],
    openFiles: [
      { fd: 0, target: 'socket:[11]' },
      { fd: 1, target: 'unknown' },
      { fd: 2, target: 'pipe:[21]' },
      { fd: 3, target: 'socket:[31]' },
    ],
  });
  expect(source.gaps.unanswered()).toEqual([server.pid]);
  const round = source.channels().of(asPid(server.pid));
  expect(round).toMatchObject({ complete: false, standard: [{ far: 'open' }, { kind: 'unknown' }, { far: 'closed' }] });
  const asked = { pid: server.pid, files: [], ports: new Set<number>() };
  expect(source.probing.possibleClients([asked])).toEqual([[expect.objectContaining({ by: 'unknown' })]]);
  hung.clear();
  expect(facts()?.cwd).toBe('/Volumes/far');
});
