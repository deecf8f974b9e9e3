import { expect, test } from 'vitest';
import { asPid, asRunId, cookieName } from '../../../../app/process/identity.ts';
import { HandleSignaller } from '../../../../main/os/windows/native/signaller.ts';
import { NativeSource } from '../../../../main/os/windows/native/source.ts';
import { JobObject } from '../../../../main/os/windows/start/job-object.ts';
import { killOnClose, maxProcesses } from '../../../../main/os/windows/start/start-kernel.ts';
import { deliverToRun } from '../../../../main/run/ending/ending.ts';
import { RunView, type RunMembers } from '../../../../main/run/members/view.ts';
import { SimulatedJobs, type JobProcess } from '../../../windows/simulated-jobs.ts';
import { SimulatedWindows, type Simulated, type Start } from '../../../windows/simulated-windows.ts';

const run = asRunId('abcdefghjk');

/**
 * A run whose processes go on as new ones all the time: each starts another and ends, whenever
 * Curfew has read the table or the job. No two readings show the same process.
 */
class Storm {
  readonly jobs: SimulatedJobs;
  readonly windows: SimulatedWindows;
  readonly job: JobObject;
  readonly view: RunView;
  readonly ended: string[] = [];
  hops = 0;
  readonly #inJob = new Map<number, JobProcess>();
  readonly #signaller: HandleSignaller;

  constructor(hoppers: number, more: readonly Start[] = []) {
    const goOn = (): void => this.#hop();
    const end = (one: Simulated): void => this.#end(one);
    this.windows = new (class extends SimulatedWindows {
      override system(informationClass: number, size: number): ReturnType<SimulatedWindows['system']> {
        const answer = super.system(informationClass, size);
        goOn();
        return answer;
      }
      override terminate(handle: number): number {
        const one = this.handles.get(handle);
        const status = super.terminate(handle);
        if (one !== undefined) end(one);
        return status;
      }
    })();
    const { windows } = this;
    this.jobs = new (class extends SimulatedJobs {
      override job(job: number, informationClass: number, size: number): Buffer | null {
        goOn();
        return super.job(job, informationClass, size);
      }
      override end(one: JobProcess, status: number): void {
        super.end(one, status);
        const process = windows.processes.get(one.pid);
        if (process !== undefined) windows.end(process);
      }
    })();
    const job = JobObject.make(this.jobs);
    if (job === null) throw new Error('there is no job');
    this.job = job;
    const curfew = windows.start(windows.explorer, { pid: process.pid - (process.pid % 4) });
    const source = new NativeSource({
      kernel: windows,
      environmentNames: [cookieName, 'CURFEW_KEEP'],
      uid: 0,
      ownPid: curfew.pid,
    });
    this.#signaller = new HandleSignaller(windows, source, { ask: () => 'not-sent', forget: () => undefined });
    const own = source.scan(new Set()).rows.get(asPid(curfew.pid));
    const first: JobProcess = { pid: curfew.pid, jobs: [job.handle], status: null };
    for (let count = 0; count < hoppers; count += 1) this.#start(first, { image: 'hop.exe' });
    for (const given of more) this.#start(first, given);
    this.view = new RunView({
      source,
      id: run,
      subreaper: false,
      enclosure: job,
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
    this.view.sparer.startedIn(Number(own?.sid ?? 0), null);
  }

  /** One round of KILL; gives what it saw. */
  round(): RunMembers {
    const seen = this.view.look();
    const orders = seen.living.map((target) => ({ to: 'process' as const, target }));
    const tools = {
      view: this.view,
      signaller: this.#signaller,
      enclosure: this.job,
      launcher: { killGroup: () => false },
    };
    deliverToRun(tools, seen, { kind: 'signal', signal: 'KILL', orders, resume: [] });
    return seen;
  }

  /** The programs that live in the job. */
  left(): readonly string[] {
    return this.jobs.inside(this.job.handle).map(({ pid }) => this.windows.processes.get(pid)?.image ?? 'unknown');
  }

  /** The run starts another program. */
  start(given: Start): void {
    this.#start({ pid: 0, jobs: [this.job.handle], status: null }, given);
  }

  #start(parent: JobProcess, given: Start): void {
    const one = this.jobs.fork(parent);
    this.#inJob.set(one.pid, one);
    const above = this.windows.processes.get(parent.pid) ?? null;
    this.windows.start(above, { pid: one.pid, environment: ['Path=C:\\', `${cookieName}=${run}`], ...given });
  }

  #hop(): void {
    for (const [pid, one] of new Map(this.#inJob)) {
      const process = this.windows.processes.get(pid);
      if (process?.image !== 'hop.exe' || !this.jobs.admits(one)) continue;
      this.#start(one, { image: 'hop.exe' });
      this.jobs.end(one, 0);
      this.#inJob.delete(pid);
      this.hops += 1;
    }
  }

  #end({ pid }: Simulated): void {
    const one = this.#inJob.get(pid);
    if (one !== undefined) this.jobs.end(one, 1);
    this.#inJob.delete(pid);
  }
}

test.each([1, 7, 60])('what starts others faster than a look takes is ended whole: %i of them', (hoppers) => {
  const storm = new Storm(hoppers);
  storm.view.look();
  expect(storm.hops).toBeGreaterThan(0);
  storm.round();
  expect(storm.left()).toHaveLength(hoppers);
  // The first round has closed the job to new ones: the second sees every one of them.
  expect(storm.round().living).toHaveLength(hoppers);
  expect(storm.left()).toEqual([]);
});

test('without that it runs on, round after round', () => {
  const storm = new Storm(5);
  storm.job.seal = () => undefined;
  for (let round = 0; round < 20; round += 1) storm.round();
  expect(storm.left()).toHaveLength(5);
});

test('where something is to be kept the job stays open, and that lives', () => {
  const kept = { image: 'kept.exe', environment: ['Path=C:\\', `${cookieName}=${run}`, 'CURFEW_KEEP=1'] };
  const storm = new Storm(0, [{ image: 'tool.exe' }, kept]);
  storm.round();
  storm.round();
  expect(storm.left()).toEqual(['kept.exe']);
  expect(storm.jobs.flags.get(storm.job.handle)).toBe(0);
});

test('a job that was closed to new ones is opened for what is to be kept', () => {
  const storm = new Storm(0, [{ image: 'tool.exe' }]);
  storm.job.seal(true);
  expect(storm.jobs.flags.get(storm.job.handle)).toBe(killOnClose | maxProcesses);
  storm.job.endsWithUs(false);
  expect(storm.jobs.flags.get(storm.job.handle)).toBe(0);
});

test('a process of which the parent is uncertain is ended with the job that it is in', () => {
  const storm = new Storm(0, [{ image: 'tool.exe' }]);
  const tool = [...storm.windows.processes.values()].find(({ image }) => image === 'tool.exe');
  if (tool === undefined) throw new Error('nothing runs');
  // After a clock that was set back nothing says which process is older.
  storm.windows.nowMs = Date.now() + 60_000;
  storm.start({ image: 'child.exe', parent: 40_000 });
  expect(storm.round().spared).toEqual([]);
  storm.round();
  expect(storm.left()).toEqual([]);
});
