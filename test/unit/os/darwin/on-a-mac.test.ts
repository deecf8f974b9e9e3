import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepName } from '../../../../app/guard/script/keep-assignment.ts';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { failedParts } from '../../../../app/process/reader-check.ts';
import { openKoffiKernel } from '../../../../main/os/darwin/kernel/koffi-kernel.ts';
import { withCallsAside } from '../../../../main/os/darwin/kernel/aside.ts';
import { UniqueIdSignaller } from '../../../../main/os/darwin/native/signaller.ts';
import { NativeSource } from '../../../../main/os/darwin/native/source.ts';
import { selfCheck } from '../../../../main/os/self-check/self-check.ts';

// What a real kernel of macOS says of real processes, each of them started here. No Mac was at hand
// when this was written: a failure is news of the kernel. Nothing is signalled but what is started.

const onMac = process.platform === 'darwin';
const patient = 30_000;

const open = () => {
  const kernel = withCallsAside(openKoffiKernel());
  if ('reason' in kernel) throw new Error(kernel.reason);
  const source = new NativeSource({ kernel, environmentNames: [keepName], uid: process.getuid?.() ?? 0 });
  return { kernel, source };
};

const rowIn = (source: NativeSource, pid: number | undefined): ProcessRow => {
  const row = source.scan(new Set()).rows.get(asPid(pid ?? 0));
  if (row === undefined) throw new Error(`process ${pid} is not in the table`);
  return row;
};

const started = (child: ChildProcess): ChildProcess => {
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

test.runIf(onMac)('every known fact is reproduced', () => {
  const { kernel, source } = open();
  const check = selfCheck({ source, signaller: new UniqueIdSignaller(kernel, source) });
  expect(failedParts(check)).toEqual([]);
  expect(check.parts).toHaveLength(9);
});

test.runIf(onMac)('an orphan still names the shell that started it', async () => {
  const { source } = open();
  const shell = started(spawn('/bin/sh', ['-c', '/bin/sleep 60 >/dev/null & echo $!; read end'], { stdio: 'pipe' }));
  const lines = createInterface({ input: shell.stdout ?? process.stdin });
  const [line] = (await once(lines, 'line')) as [string];
  const orphan = Number(line);
  onTestFinished(() => void process.kill(orphan, 'SIGKILL'));
  const starter = rowIn(source, shell.pid).numbers?.own;
  expect(rowIn(source, orphan)).toMatchObject({ ppid: shell.pid, numbers: { starter } });
  shell.stdin?.end();
  await once(shell, 'exit');
  expect(rowIn(source, orphan)).toMatchObject({ ppid: 1, numbers: { starter } });
  // To a Curfew that begins now the kernel says the same.
  expect(rowIn(open().source, orphan).numbers?.starter).toBe(starter);
});

test.runIf(onMac)('what a program was started with, and the coalition of this very process', () => {
  const { source } = open();
  const script = 'setTimeout(() => {}, 60000)';
  const node = started(spawn(process.execPath, ['-e', script], { env: { [keepName]: '1' }, stdio: 'ignore' }));
  const row = rowIn(source, node.pid);
  expect(row.argv).toEqual([process.execPath, '-e', script]);
  expect(source.environment(row)).toEqual({ [keepName]: '1' });
  const coalition = (one: ProcessRow): unknown => {
    const launched = source.facts([one]).get(one.pid)?.launched;
    return typeof launched === 'object' ? launched.coalition : launched;
  };
  expect(coalition(row)).toBeTypeOf('number');
  expect(coalition(row)).toBe(coalition(rowIn(source, process.pid)));
});

test.runIf(onMac)('a sleeping program is silent, and this one is not', async () => {
  const { source } = open();
  const sleeper = started(spawn('/bin/sleep', ['60'], { stdio: 'ignore' }));
  const figureOf = (pid: number | undefined): unknown => source.probing.exchanges([[{ pid: pid ?? 0, files: [] }]])[0];
  await vi.waitFor(() => {
    const before = figureOf(sleeper.pid);
    expect(before).toMatchObject({ kind: 'measured' });
    expect(figureOf(sleeper.pid)).toEqual(before);
  }, patient);
  expect(figureOf(process.pid)).not.toEqual(figureOf(process.pid));
});
