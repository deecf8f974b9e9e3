import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endWhatEachTestLeaves, living, until, withHome } from './curfew-run.ts';

/** ptrace(2) with PTRACE_SEIZE and PTRACE_O_EXITKILL: what it holds ends with it. */
const tracer = (pid: number, ready: string): string => `import ctypes, time
libc = ctypes.CDLL(None)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
assert libc.ptrace(0x4206, ${pid}, None, 0x100000) == 0
open("${ready}", "w").close()
time.sleep(3600)
`;

const newcomers = endWhatEachTestLeaves();

for (const [strict, stays] of [
  [[], true],
  [['--strict'], false],
] as const)
  test(
    `what left the session of a run, and holds a process of the user's, is ${stays ? 'spared and named' : 'ended with --strict'}`,
    withHome(async (home) => {
      const mine = home.start('sleep', ['86430']);
      const [ready, script] = [home.file('ready'), home.file('tracer.py')];
      writeFileSync(script, tracer(mine.pid, ready));
      const command = `setsid python3 ${script} >/dev/null 2>&1 & sleep 86431 & until [ -e ${ready} ]; do sleep 0.05; done`;
      const { stderr } = await home.run(['run', '--grace', '1', ...strict, '--', 'sh', '-c', command], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      expect(existsSync(ready)).toBe(true);
      const holds = newcomers().find(({ args }) => args.endsWith(script));
      const named = `process ${holds?.pid ?? 0} (python3) was left running: it holds a process that is no part`;
      expect({ holds: holds !== undefined, named: stderr.includes(named) }).toEqual({ holds: stays, named: stays });
      // With --strict it asked the kernel for the end of what it holds, and the user for its own.
      await until('what it held lives, or has ended', () => (living(mine.pid) !== null) === stays);
      expect(newcomers().some(({ args }) => args === 'sleep 86431')).toBe(false);
    }),
  );
