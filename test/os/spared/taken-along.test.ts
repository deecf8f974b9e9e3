import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, runCurfew, scan } from '../scene/curfew.ts';
import { bystander, expectUntouched, innocent } from '../scene/innocents.ts';
import { expectAllReaped, expectSpared, pinned } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { far, missing, skipped } from '../remote/far-machine.ts';

/** What the kernel ends with a process, though it is no part of the job, may not be ended so. */

/** ptrace(2) with PTRACE_SEIZE and PTRACE_O_EXITKILL, from the main thread or from another. */
const tracing = (pid: number, thread: 'main' | 'another'): string => `
import ctypes, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
def trace():
    assert libc.ptrace(0x4206, ${pid}, None, 0x100000) == 0, ctypes.get_errno()
    open("/tmp/traces", "w").close()
    time.sleep(3600)
${thread === 'main' ? 'trace()' : 'threading.Thread(target=trace).start()'}
`;

const startTracer = async (stage: Scene, pid: number, thread: 'main' | 'another') => {
  const script = stage.write('/tmp/scene/tracer.py', tracing(pid, thread));
  const claude = await FakeClaude.start(stage);
  await claude.bash(`python3 ${script}`);
  await stage.until('it traces', () => stage.has('/tmp/traces'));
  const [tracer] = await pinned(stage, `python3 ${script}`);
  if (tracer === undefined) throw new Error('nothing traces');
  return { claude, tracer };
};

const reasonsOf = async (stage: Scene, pid: number) => {
  const job = jobWith(await scan(stage, ['--all']), pid);
  return { job, vetoes: job.vetoes.map(({ code, figures }) => [code, figures?.['as']]) };
};

describe.concurrent('a leftover with which the kernel would end a program of the user', () => {
  for (const thread of ['main', 'another'] as const)
    test(
      `is never ended, and the reason is given: it traces that program, from ${thread === 'main' ? 'its first thread' : 'another thread'}`,
      scene(async (stage) => {
        const mine = await innocent(stage, { argv: ['node', 'mine.js'], setsid: true });
        const { claude, tracer } = await startTracer(stage, mine.identity.pid, thread);
        await claude.crash();
        await expectSpared(stage, [mine, { what: 'the tracer', identity: tracer, diary: null }]);
        const { job, vetoes } = await reasonsOf(stage, tracer.pid);
        expect(vetoes).toContainEqual(['takes-others', 'tracer']);
        await runCurfew(stage, ['reap', '--job', job.id, '--grace', '0s']);
        expectUntouched(stage, [mine]);
      }),
    );

  test(
    'is never ended, and the reason is given: it is the first process of a pid namespace into which the user has gone',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.bash("unshare --pid --fork perl -e 'sleep 3600' inside");
      const first = await stage.find('the first process', ({ argv }) => argv[0] === 'perl' && argv[3] === 'inside');
      const enter = `exec nsenter --target ${first.pid} --pid -- perl -e 'sleep 3601' mine`;
      await stage.top.start({ file: '/bin/sh', argv: ['sh', '-c', enter], env: stage.userEnvironment(), setsid: true });
      const mine = await stage.find('the user’s', ({ argv }) => argv[0] === 'perl' && argv[3] === 'mine');
      await claude.crash();
      await expectSpared(stage, [
        bystander(stage, 'the user’s', mine.pid),
        bystander(stage, 'the first process', first.pid),
      ]);
      const { job, vetoes } = await reasonsOf(stage, first.pid);
      expect(vetoes).toContainEqual(['takes-others', 'namespace']);
      await runCurfew(stage, ['reap', '--job', job.id, '--grace', '0s']);
      expect(stage.lives({ pid: mine.pid, start: mine.start })).toBe(true);
    }),
  );
});

describe.concurrent('a leftover with which the kernel would end only parts of it', () => {
  test(
    'is ended: a pid namespace of its own, in which new processes begin all the time',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.bash("unshare --pid --fork bash -c 'trap exit TERM; while :; do sleep 0.05; done' inside");
      const first = await stage.find('the first process', ({ argv }) => argv[0] === 'bash' && argv.at(-1) === 'inside');
      await claude.crash();
      await expectAllReaped(stage, [{ pid: first.pid, start: first.start }]);
    }),
  );

  test(
    'is ended: a pid namespace in which a process has the pid of its agent, and began later',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const { pid } = claude.identity;
      const text = `$SIG{TERM} = sub { exit }; while (1) {
open(my $last, ">", "/proc/sys/kernel/ns_last_pid"); print $last ${pid - 1}; close($last);
my $child = fork; if (!$child) { sleep 3600; exit } $child == ${pid} or die; open($last, ">", "/tmp/named"); waitpid $child, 0 }`;
      await claude.bash(`unshare --pid --fork perl ${stage.write('/tmp/scene/inside.pl', text)}`);
      await stage.until('it has the agent’s pid', () => stage.has('/tmp/named'));
      const own = stage.table().filter(({ argv }) => argv[0] === 'perl' && argv[1] === '/tmp/scene/inside.pl');
      expect(own).toHaveLength(2);
      await claude.crash();
      await expectAllReaped(
        stage,
        own.map((one) => ({ pid: one.pid, start: one.start })),
      );
    }),
  );

  test(
    'is ended: a program elsewhere calls itself as the kernel tells what is traced by it',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const idle = await claude.bash('sleep 7777');
      const text = String.raw`import ctypes, time
ctypes.CDLL(None).prctl(15, b"\rTracerPid:\t${idle.shell.pid}", 0, 0, 0)
open("/tmp/named", "w").close(); time.sleep(3600)
`;
      await stage.top.start({
        file: '/usr/bin/python3',
        argv: ['python3', stage.write('/tmp/scene/named.py', text)],
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.until('it has that name', () => stage.has('/tmp/named'));
      await claude.crash();
      await expectAllReaped(stage, [idle.shell]);
    }),
  );

  test(
    'is ended: a tracer of its own children',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const text = `import os, time, ctypes
libc = ctypes.CDLL(None); libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
child = os.fork()
if child == 0: time.sleep(3600)
assert libc.ptrace(0x4206, child, None, 0x100000) == 0
open("/tmp/traces", "w").close(); time.sleep(3600)
`;
      await claude.bash(`python3 ${stage.write('/tmp/scene/tracer.py', text)}`);
      await stage.until('it traces', () => stage.has('/tmp/traces'));
      const own = stage.table().filter(({ argv }) => argv[0] === 'python3');
      expect(own).toHaveLength(2);
      await claude.crash();
      await expectAllReaped(
        stage,
        own.map(({ pid, start }) => ({ pid, start })),
      );
    }),
  );
});

describe.skipIf(missing !== null)(`the same over SSH ${skipped}`, () => {
  test(
    'a tracer of the user’s program, and the first process of a namespace that the user has entered, stay',
    far(async (machine) => {
      const { stage } = machine;
      const mine = await innocent(stage, { argv: ['node', 'mine.js'], setsid: true });
      const look = () => machine.run(['scan', '--json', '--host', 'web1']);
      const { claude, tracer } = await startTracer(stage, mine.identity.pid, 'another');
      await claude.bash("unshare --pid --fork perl -e 'sleep 3600' inside");
      const first = await stage.find('the first process', ({ argv }) => argv[0] === 'perl' && argv[3] === 'inside');
      const idle = await claude.bash('sleep 7777');
      const enter = `exec nsenter --target ${first.pid} --pid -- perl -e 'sleep 3601' mine`;
      await stage.top.start({ file: '/bin/sh', argv: ['sh', '-c', enter], env: stage.userEnvironment(), setsid: true });
      const entered = await stage.find('the user’s', ({ argv }) => argv[0] === 'perl' && argv[3] === 'mine');
      await look();
      await claude.crash();
      await machine.run(['reap', '--json', '--host', 'web1', '--max-age', '0s', '--grace', '2s']);
      expectUntouched(stage, [mine, bystander(stage, 'the user’s', entered.pid)]);
      expect([stage.lives(tracer), stage.lives(idle.shell)]).toEqual([true, false]);
    }),
  );
});
