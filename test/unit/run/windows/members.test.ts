import { expect, test } from 'vitest';
import { asPid, asRunId, cookieName } from '../../../../app/process/identity.ts';
import type { Enclosure } from '../../../../main/os/containment/service-manager.ts';
import { HandleSignaller } from '../../../../main/os/windows/native/signaller.ts';
import { NativeSource } from '../../../../main/os/windows/native/source.ts';
import { deliverToRun } from '../../../../main/run/ending/ending.ts';
import type { Containment } from '../../../../main/run/members/containment.ts';
import { RunView } from '../../../../main/run/members/view.ts';
import { SimulatedWindows, type Simulated } from '../../../windows/simulated-windows.ts';

const run = asRunId('abcdefghjk');
const cookie = [`${cookieName}=${run}`, 'Path=C:\\Windows'];

interface Stage {
  readonly kernel: SimulatedWindows;
  readonly view: RunView;
  readonly root: Simulated;
  /** It is older than Curfew. */
  readonly early: Simulated;
  readonly inside: Set<number>;
  readonly limits: boolean[];
  readonly killed: number[][];
  readonly deliver: (signal: 'TERM' | 'KILL', ask?: Containment['ask']) => ReturnType<typeof deliverToRun>['records'];
}

const stage = (): Stage => {
  const kernel = new SimulatedWindows();
  const early = kernel.start(kernel.explorer, { image: 'early.exe' });
  const curfew = kernel.start(kernel.explorer, { pid: process.pid - (process.pid % 4) });
  const source = new NativeSource({
    kernel,
    environmentNames: [cookieName, 'CURFEW_KEEP'],
    uid: 0,
    ownPid: curfew.pid,
  });
  const signaller = new HandleSignaller(kernel, source, { ask: () => 'not-sent', forget: () => undefined });
  const root = kernel.start(curfew, { image: 'tool.exe', environment: cookie });
  const inside = new Set([root.pid]);
  const limits: boolean[] = [];
  const killed: number[][] = [];
  const enclosure: Enclosure = {
    path: 'job object',
    what: 'job object of the run',
    during: (work) => work(),
    pids: () => [...inside],
    kill: () => {
      killed.push([...inside]);
      return true;
    },
    endsWithUs: (ends) => limits.push(ends),
    moveOut: () => undefined,
    remove: () => true,
  };
  const own = source.scan(new Set()).rows.get(asPid(curfew.pid));
  const view = new RunView({
    source,
    id: run,
    subreaper: false,
    enclosure,
    idsAreHeld: false,
    keepInherited: false,
    inherited: new Set(),
    sinceTicks: (own?.startTicks ?? 0) + 1,
    strangers: false,
    ancestors: [],
    uid: 0,
    strict: false,
    services: [],
  });
  view.sparer.startedIn(Number(own?.sid ?? 0), null);
  return {
    kernel,
    view,
    root,
    early,
    inside,
    limits,
    killed,
    deliver: (signal, ask) => {
      const seen = view.look();
      const targets = seen.living;
      const tools = { view, signaller, enclosure, launcher: { killGroup: () => false }, ...(ask ? { ask } : {}) };
      const orders = targets.map((target) => ({ to: 'process' as const, target }));
      return deliverToRun(tools, seen, { kind: 'signal', signal, orders, resume: [] }).records;
    },
  };
};

test('the job, the cookie and parentage make members; what uses a free id again is none', () => {
  const { kernel, view, root, inside } = stage();
  const child = kernel.start(root, { image: 'child.exe', environment: ['Path=C:\\Windows'] });
  inside.add(child.pid);
  expect([...view.look().members.keys()]).toEqual([root.pid, child.pid]);
  kernel.end(child);
  inside.delete(child.pid);
  // The id is another's, who starts something and ends between two looks.
  const stranger = kernel.start(kernel.explorer, { pid: child.pid, image: 'stranger.exe' });
  const below = kernel.start(stranger, { image: 'below.exe' });
  expect([...view.look().members.keys()]).toEqual([root.pid]);
  kernel.end(stranger);
  expect([...view.look().members.keys()]).toEqual([root.pid]);
  expect(below.ended).toBe(false);
});

test('an orphan of Git Bash, whose environment and parent say nothing, is in the job', () => {
  const { kernel, view, root, inside } = stage();
  const orphan = kernel.start(null, { parent: 40_000, image: 'sleep.exe', environment: ['PATH=C:\\Windows'] });
  inside.add(orphan.pid);
  expect([...view.look().members.keys()]).toEqual([root.pid, orphan.pid]);
});

test('a member that was started before its run by the clock is a member all the same', () => {
  const { view, early, inside } = stage();
  inside.add(early.pid);
  expect(view.look().members.has(asPid(early.pid))).toBe(true);
});

test('the whole job is ended at once, with the host of its console', () => {
  const { kernel, root, inside, killed, deliver } = stage();
  const host = kernel.start(root, { image: 'conhost.exe' });
  inside.add(host.pid);
  expect(deliver('KILL')[0]).toMatchObject({ target: 'job object of the run', pids: [root.pid], result: 'sent' });
  expect(killed).toEqual([[root.pid, host.pid]]);
});

test('a job with something to keep is not ended as one, and outlives a crash of Curfew', () => {
  const { kernel, root, inside, killed, limits, deliver } = stage();
  const kept = kernel.start(root, { image: 'kept.exe', environment: [...cookie, 'CURFEW_KEEP=1'] });
  inside.add(kept.pid);
  deliver('KILL');
  expect(killed).toEqual([]);
  expect([root.ended, kept.ended]).toEqual([true, false]);
  expect(limits.at(-1)).toBe(false);
});

test('what was born meanwhile keeps the job from being ended as one', () => {
  const { kernel, root, inside, killed, deliver } = stage();
  inside.add(40_004);
  deliver('KILL');
  expect(killed).toEqual([]);
  expect(root.ended).toBe(true);
  expect(kernel.processes.has(root.pid)).toBe(false);
});

test('all are asked together through their console, oldest first, and nothing else is sent', () => {
  const { kernel, root, inside, deliver } = stage();
  const child = kernel.start(root, { image: 'child.exe' });
  inside.add(child.pid);
  const asked: number[][] = [];
  const records = deliver('TERM', (members) => {
    asked.push(members.map(({ pid }) => pid));
    return true;
  });
  expect(asked).toEqual([[root.pid, child.pid]]);
  expect(records).toEqual([
    expect.objectContaining({ target: 'console of the run', pids: [root.pid, child.pid], result: 'sent' }),
  ]);
  expect(deliver('TERM', () => false)).toEqual([expect.objectContaining({ result: 'refused' })]);
  expect([root.ended, child.ended]).toEqual([false, false]);
});

test('what is to be kept is not asked', () => {
  const { kernel, root, inside, deliver } = stage();
  const kept = kernel.start(root, { image: 'kept.exe', environment: [...cookie, 'CURFEW_KEEP=1'] });
  inside.add(kept.pid);
  deliver('TERM', (members) => {
    expect(members.map(({ pid }) => Number(pid))).toEqual([root.pid]);
    return true;
  });
});
