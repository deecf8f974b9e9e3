import { expect, test } from 'vitest';
import type { CommandEnd, CommandOrder } from '../../../../main/os/programs/command-launcher.ts';
import { JobLauncher } from '../../../../main/os/windows/start/job-launcher.ts';
import { JobObject, pidsIn } from '../../../../main/os/windows/start/job-object.ts';
import { killOnClose, systemError } from '../../../../main/os/windows/start/start-kernel.ts';
import { SimulatedJobs, type JobProcess } from '../../../windows/simulated-jobs.ts';

const files = new Set([String.raw`C:\bin\tool.exe`, String.raw`C:\bin\npm.cmd`, String.raw`C:\bin\script.ps1`]);

interface Stage {
  readonly kernel: SimulatedJobs;
  readonly job: JobObject;
  readonly launcher: JobLauncher;
  /** The variables that were set while each process was started. */
  readonly variables: Readonly<Record<string, string>>[];
}

const stage = (): Stage => {
  const kernel = new SimulatedJobs();
  const job = JobObject.make(kernel);
  if (job === null) throw new Error('there is no job');
  const variables: Readonly<Record<string, string>>[] = [];
  const launcher = new JobLauncher({
    kernel,
    job,
    around: {
      environment: { PATH: String.raw`C:\bin`, SystemRoot: String.raw`C:\Windows` },
      folder: String.raw`C:\work`,
      isFile: (path) => files.has(path),
    },
    withVariables: (given, work) => {
      variables.push(given);
      return work();
    },
  });
  return { kernel, job, launcher, variables };
};

const order = (command: CommandOrder['command'], placement: CommandOrder['placement'] = 'session'): CommandOrder => ({
  placement,
  terminal: null,
  environment: { CURFEW_RUN: 'abc' },
  stdio: [0, 1, 2],
  command,
});

const quiet = { onEnd: () => undefined, onStop: () => undefined };

const first = (kernel: SimulatedJobs): JobProcess => {
  const [one] = kernel.processes.values();
  if (one === undefined) throw new Error('nothing runs');
  return one;
};

test('a command is born in the job, with three handles that are closed again, and its cookie', () => {
  const { kernel, job, launcher, variables } = stage();
  const before = kernel.open.size;
  expect(launcher.start(order(['tool', 'a b']), quiet)).toMatchObject({ ok: true });
  const [asked] = kernel.orders;
  expect(asked).toMatchObject({
    file: String.raw`C:\bin\tool.exe`,
    commandLine: 'tool "a b"',
    job: job.handle,
    ownConsole: true,
  });
  expect(new Set(asked?.standard).size).toBe(3);
  expect(asked?.standard.some((handle) => kernel.open.has(handle))).toBe(false);
  // The handle of the process itself stays until its end was told.
  expect(kernel.open.size).toBe(before + 1);
  expect(variables).toEqual([{ CURFEW_RUN: 'abc' }]);
});

test('on a terminal it shares the console, so that a key reaches it once', () => {
  const { kernel, launcher } = stage();
  launcher.start(order(['tool'], 'shared'), quiet);
  expect(kernel.orders[0]?.ownConsole).toBe(false);
});

test('its status is told whole, also one of the system', async () => {
  const { kernel, launcher } = stage();
  const { promise, resolve } = Promise.withResolvers<CommandEnd>();
  launcher.start(order(['tool']), { ...quiet, onEnd: resolve });
  kernel.end(first(kernel), 0xc000013a);
  expect(await promise).toEqual({ kind: 'exited', code: 0xc000013a });
});

test('a batch file goes through the cmd.exe of the system', () => {
  const { kernel, launcher } = stage();
  launcher.start(order(['npm', 'test', 'a&b']), quiet);
  expect(kernel.orders[0]).toMatchObject({
    file: String.raw`C:\Windows\System32\cmd.exe`,
    commandLine: String.raw`cmd.exe /e:ON /v:OFF /d /c ""C:\bin\npm.cmd" "test" "a&b""`,
  });
});

test.each([
  ['nosuch', 'ENOENT'],
  ['script.ps1', 'EACCES'],
])('%s is not started: %s', (name, errno) => {
  const { kernel, launcher } = stage();
  expect(launcher.start(order([name]), quiet)).toEqual({ ok: false, errno });
  expect(kernel.orders).toEqual([]);
});

test('a batch file is not given what cmd.exe would cut', () => {
  const { kernel, launcher } = stage();
  expect(launcher.start(order(['npm', 'a\nb']), quiet)).toMatchObject({ ok: false });
  expect(kernel.orders).toEqual([]);
});

test.each([
  [systemError.badFormat, 'ENOEXEC'],
  [systemError.elevationRequired, 'EPERM: it needs the rights of an administrator'],
  [1314, 'error 1314 of Windows'],
])('error %i of the system is said, and no handle is left', (error, errno) => {
  const { kernel, launcher } = stage();
  const before = kernel.open.size;
  kernel.error = error;
  expect(launcher.start(order(['tool']), quiet)).toEqual({ ok: false, errno });
  expect(kernel.open.size).toBe(before);
});

test('the kernel says whether anything is left, however it was started', () => {
  const { kernel, job, launcher } = stage();
  expect(launcher.waitForChildren()).toBe('none');
  launcher.start(order(['tool']), quiet);
  const root = first(kernel);
  const child = kernel.fork(kernel.fork(root));
  expect(job.pids()).toContain(child.pid);
  kernel.end(root, 0);
  expect(launcher.waitForChildren()).toBe('some');
  expect(job.kill()).toBe(true);
  expect(launcher.waitForChildren()).toBe('none');
  expect(child.status).toBe(137);
});

test('a list longer than expected is read whole', () => {
  const { kernel, job, launcher } = stage();
  launcher.start(order(['tool']), quiet);
  const root = first(kernel);
  const all = [root, ...Array.from({ length: 700 }, () => kernel.fork(root))];
  expect(new Set(job.pids())).toEqual(new Set(all.map(({ pid }) => pid)));
});

test('what is inside ends with Curfew, unless something there is left alone', () => {
  const { kernel, job, launcher } = stage();
  launcher.start(order(['tool']), quiet);
  const root = first(kernel);
  expect(kernel.flags.get(job.handle)).toBe(killOnClose);
  job.endsWithUs(false);
  // A crash of Curfew closes all its handles.
  kernel.close(job.handle);
  expect(root.status).toBeNull();
});

test('a killed Curfew takes everything with it', () => {
  const { kernel, job, launcher } = stage();
  launcher.start(order(['tool']), quiet);
  const root = first(kernel);
  const child = kernel.fork(root);
  kernel.close(job.handle);
  expect([root.status, child.status]).toEqual([0, 0]);
});

test('the limit comes back when nothing is left alone any more', () => {
  const { kernel, job } = stage();
  job.endsWithUs(false);
  job.endsWithUs(true);
  expect(kernel.flags.get(job.handle)).toBe(killOnClose);
});

test('after the end of a run its job says nothing and ends nothing', () => {
  const { kernel, job } = stage();
  expect(job.remove()).toBe(true);
  expect(job.remove()).toBe(true);
  expect([job.pids(), job.active(), job.kill()]).toEqual([null, null, false]);
  expect(kernel.open.size).toBe(0);
});

test('without its limit a job is no containment', () => {
  const kernel = new SimulatedJobs();
  kernel.refusesLimits = true;
  expect(JobObject.make(kernel)).toBeNull();
  expect(kernel.open.size).toBe(0);
  kernel.refusesJobs = true;
  expect(JobObject.make(kernel)).toBeNull();
});

test('a list that is cut or too short is no list', () => {
  expect(pidsIn(Buffer.alloc(4))).toBeNull();
  const cut = Buffer.alloc(8);
  cut.writeUInt32LE(3, 0);
  expect(pidsIn(cut)).toBe('cut');
  const lying = Buffer.alloc(16);
  lying.writeUInt32LE(1000, 0);
  lying.writeUInt32LE(1000, 4);
  expect(pidsIn(lying)).toBe('cut');
});
