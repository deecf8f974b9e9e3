import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asPid } from '../../../app/process/identity.ts';
import { identityOf } from '../../../app/process/table.ts';
import { NativeSource } from '../../../main/os/darwin/native/source.ts';
import { UniqueIdSignaller } from '../../../main/os/darwin/native/signaller.ts';
import { SimulatedKernel, type Simulated } from '../../darwin/simulated-kernel.ts';

const disturbances = ['exit', 'zombie', 'reuse', 'exec', 'refuse', 'garble'] as const;

interface Played {
  readonly kernel: SimulatedKernel;
  readonly target: Simulated;
  readonly result: string | null;
}

/**
 * Judges a process, then signals it; at the n-th call of the kernel in between something happens to
 * it.
 */
const play = (what: (typeof disturbances)[number] | null, atCall: number, byToken: boolean): Played => {
  const kernel = new SimulatedKernel();
  if (!byToken) kernel.signalByToken = null;
  const curfew = kernel.launch({ argv: ['/opt/bin/curfew'] });
  const target = kernel.launch({ argv: ['/opt/bin/sleep', '60'] });
  const source = new NativeSource({ kernel, environmentNames: [], uid: 501, ownPid: curfew.pid });
  const signaller = new UniqueIdSignaller(kernel, source, (pid, signal) => {
    const one = kernel.processes.get(pid);
    if (one === undefined) return 3;
    kernel.deliver(one, signal);
    return 0;
  });
  const table = source.scan(new Set());
  const row = table.rows.get(asPid(target.pid));
  if (row === undefined) throw new Error('the target is not in the table');
  let calls = 0;
  kernel.before = () => {
    calls += 1;
    if (calls !== atCall) return;
    if (what === 'exit' || what === 'reuse') kernel.end(target);
    if (what === 'zombie') kernel.die(target);
    if (what === 'exec') kernel.exec(target, { argv: ['/opt/bin/vim'] });
    if (what === 'reuse') {
      kernel.reuse(target.pid);
      kernel.launch({ argv: ['/opt/bin/stranger'] });
    }
    if (what === 'refuse') kernel.alter = () => ({ bytes: Buffer.alloc(0), errno: 1 });
    if (what === 'garble') kernel.alter = (_name, answer) => ({ ...answer, bytes: answer.bytes.subarray(1) });
  };
  let result: string | null = null;
  try {
    const handle = signaller.open(identityOf(table, row));
    result = handle?.send('TERM') ?? null;
  } catch {
    // Nothing could be read, so nothing was sent.
  }
  return { kernel, target, result };
};

test.each([true, false])('a process that stays gets its signal (by token: %s)', (byToken) => {
  const { kernel, target, result } = play(null, 0, byToken);
  expect(result).toBe('sent');
  expect(kernel.signals).toEqual([{ uniqueId: target.uniqueId, signal: 15 }]);
});

test('whatever happens between two calls, no stranger is signalled, and no signal is told of that was not sent', () => {
  fc.assert(
    fc.property(fc.constantFrom(...disturbances), fc.nat({ max: 16 }), fc.boolean(), (what, atCall, byToken) => {
      const { kernel, target, result } = play(what, atCall, byToken);
      expect(kernel.signals.every(({ uniqueId }) => uniqueId === target.uniqueId)).toBe(true);
      expect(kernel.signals.length).toBe(result === 'sent' ? 1 : 0);
    }),
    { numRuns: 400 },
  );
});

test('a program that took the place of the judged one is not hit by a token, and is not told to be gone', () => {
  const results = Array.from({ length: 16 }, (_, index) => play('exec', index + 1, true))
    .filter(({ kernel }) => kernel.signals.length === 0)
    .map(({ result }) => result);
  expect(results).toContain('refused');
  expect(results).not.toContain('gone');
});

test('a handle believes in a death only where the kernel says so', () => {
  const kernel = new SimulatedKernel();
  const curfew = kernel.launch({ argv: ['/opt/bin/curfew'] });
  const target = kernel.launch({ argv: ['/opt/bin/sleep', '60'] });
  const source = new NativeSource({ kernel, environmentNames: [], uid: 501, ownPid: curfew.pid });
  const table = source.scan(new Set());
  const row = table.rows.get(asPid(target.pid));
  const handle = row && new UniqueIdSignaller(kernel, source).open(identityOf(table, row));
  kernel.alter = () => ({ bytes: Buffer.alloc(0), errno: 1 });
  expect(handle?.alive()).toBe(true);
  expect(handle?.send('KILL')).toBe('refused');
  kernel.alter = (_name, answer) => answer;
  kernel.die(target);
  expect(handle?.alive()).toBe(false);
  expect(handle?.send('KILL')).toBe('gone');
});

test('without rights nothing is read, and so nothing is ended', () => {
  const kernel = new SimulatedKernel();
  const curfew = kernel.launch({ argv: ['/opt/bin/curfew'] });
  const source = new NativeSource({ kernel, environmentNames: [], uid: 501, ownPid: curfew.pid });
  kernel.alter = () => ({ bytes: Buffer.alloc(0), errno: 1 });
  expect(() => source.scan(new Set())).toThrow('did not give');
});
