import { describe, expect, test } from 'vitest';
import type { ScenePath } from '../scene/actor.ts';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, scan } from '../scene/curfew.ts';
import { readDescriptor } from '../scene/processes.ts';
import { scene } from '../scene/scene.ts';
import { diagnosed, jobOf, watchClosely } from './watched.ts';

/** A terminal with a reader at it, as programs create one for interactive children. */
const ownTerminal = `perl -MPOSIX -e 'open(M, "+<", "/dev/ptmx") or die; my $zero = pack("i", 0); ioctl(M, 0x40045431, $zero) // die;
my $number = pack("i", 0); ioctl(M, 0x80045430, $number) // die; $number = unpack("i", $number);
if (!fork) { POSIX::setsid(); open(S, "+<", "/dev/pts/$number") or die; open(STDIN, "<&S"); exec "cat" } sleep 9999'`;

describe.concurrent('jobs that wait in vain, and others that wait for something', () => {
  test(
    'pipes without a possible writer; readers whose writer is at work, is outside, or comes later',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.write('/tmp/scene/outside.sh', 'mkfifo /tmp/outside; sleep 9999 <> /tmp/outside');
      await stage.top.start({
        file: '/bin/bash',
        argv: ['bash', '/tmp/scene/outside.sh'],
        env: stage.userEnvironment(),
      });
      await stage.until('a named pipe', () => stage.has('/tmp/outside'));
      const itself = await claude.bash(`perl -e 'pipe(R, W); sysread(R, $x, 1)'`);
      const circle = await claude.bash(`perl -e 'pipe(R, W); if (!fork) { close W; sysread(R, $x, 1); exit } wait'`);
      const unopened = await claude.bash('mkfifo /tmp/unopened; cat < /tmp/unopened');
      const terminal = await claude.bash(ownTerminal);
      const writerStopped = await claude.bash(
        `perl -e 'pipe(R, W); if (!fork) { close R; kill STOP => $$; syswrite(W, "x") } close W; sysread(R, $x, 1); sleep 9999'`,
      );
      const healthy = [
        await claude.bash('sleep 9999 | cat'),
        await claude.bash(`perl -e 'open(F, "<", "/tmp/outside"); sysread(F, $x, 1)'`),
        await claude.bash(`perl -e 'pipe(R, W); if (!fork) { close W; sysread(R, $x, 1); exit } sleep 9999'`),
        await claude.bash('echo begun > /tmp/log; tail -f /tmp/log'),
        // The kernel shows a process that waits for its vfork as if it waited for a disk; vfork is
        // system call 58 on x86-64 only.
        ...(process.arch === 'x64'
          ? [await claude.bash(`perl -e 'if (syscall(58) == 0) { select(undef, undef, undef, 9999) }'`)]
          : []),
      ];
      const watch = await watchClosely(stage);
      const told = await diagnosed(stage, watch, itself.shell.pid, 'waiting-on-pipe');
      expect(told.text).toMatch(
        /^it waits on a pipe whose only writer is the reader itself for \d+ (?:s|min) \(process \d+\)$/u,
      );
      expect((await diagnosed(stage, watch, circle.shell.pid, 'waiting-on-pipe')).figures).toMatchObject({
        writer: 'job',
      });
      expect((await diagnosed(stage, watch, unopened.shell.pid, 'waiting-on-pipe')).figures).toMatchObject({
        writer: 'unopened',
      });
      expect((await diagnosed(stage, watch, terminal.shell.pid, 'waiting-on-stdin')).figures).toMatchObject({
        kind: 'a terminal',
      });
      // Its reader waits for a writer that only has to be continued.
      await diagnosed(stage, watch, writerStopped.shell.pid, 'stopped');
      expect(jobOf(watch, writerStopped.shell.pid)?.diagnoses).toEqual(['stopped']);
      expect(healthy.map(({ shell, command }) => [command, jobOf(watch, shell.pid)?.diagnoses])).toEqual(
        healthy.map(({ command }) => [command, []]),
      );
      // Its memory outlives it: a single scan later reports the same.
      await watch.signal('TERM');
      await watch.ended();
      const look = await scan(stage);
      expect(jobWith(look, itself.shell.pid).diagnoses).toEqual(['waiting-on-pipe']);
    }),
  );

  test(
    'locks held by others, even if the process that took one has ended; a build that holds its own and takes turns with itself',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const outside = async (argv: readonly [string, ...string[]]): Promise<number> =>
        stage.top.start({ file: `/usr/bin/${argv[0]}`, argv, env: stage.userEnvironment(), cwd: '/tmp' });
      const holder = await outside(['flock', '/tmp/taken.lock', 'sleep', '9998']);
      await outside(['bash', '-c', 'exec 9> /tmp/left.lock; flock 9; sleep 9997 & exit']);
      await stage.find('what is run under the lock', ({ argv }) => argv.join(' ') === 'sleep 9998');
      const heir = await stage.find('who inherited the lock', ({ argv }) => argv.join(' ') === 'sleep 9997');
      stage.write('/tmp/dead.lock', '4194000\n');
      const waits = await claude.bash('flock /tmp/taken.lock echo taken');
      const inherits = await claude.bash('flock /tmp/left.lock echo taken');
      const polls = await claude.bash('while [ -e /tmp/dead.lock ]; do sleep 1; done');
      const fcntl = `use Fcntl; open F, ">>", "/tmp/posix"; my $lock = pack("s s x4 l! l! i x4", F_WRLCK, 0, 0, 0, 0); fcntl(F, F_SETLKW, $lock) or die; open G, ">", "/tmp/posix.taken"; sleep 9999`;
      await outside(['perl', '-e', fcntl]);
      await stage.until('it is taken', () => stage.has('/tmp/posix.taken'));
      const posix = await claude.bash(`perl -e '${fcntl}'`);
      // A lock of an open file, whose process /proc/locks does not name: F_OFD_SETLKW is 38
      // (fcntl.h of Linux).
      const openFile = fcntl.replaceAll('/tmp/posix', '/tmp/ofd').replace('F_SETLKW', '38');
      const openFileHolder = await outside(['perl', '-e', openFile]);
      await stage.until('that one, too', () => stage.has('/tmp/ofd.taken'));
      const ofd = await claude.bash(`perl -e '${openFile}'`);
      const build = await claude.bash(
        'exec 9> /tmp/own.lock; (flock 9; while :; do echo step; sleep 0.5; done) & sleep 0.5; (flock 9; echo next) & wait',
      );
      const watch = await watchClosely(stage);
      expect((await diagnosed(stage, watch, waits.shell.pid, 'waiting-for-lock')).figures).toMatchObject({
        file: '/tmp/taken.lock',
        holder,
        command: 'flock /tmp/taken.lock sleep 9998',
      });
      expect((await diagnosed(stage, watch, inherits.shell.pid, 'waiting-for-lock')).figures).toMatchObject({
        file: '/tmp/left.lock',
        holder: heir.pid,
        command: 'sleep 9997',
      });
      expect((await diagnosed(stage, watch, posix.shell.pid, 'waiting-for-lock')).figures).toMatchObject({
        file: '/tmp/posix',
      });
      expect((await diagnosed(stage, watch, ofd.shell.pid, 'waiting-for-lock')).figures).toMatchObject({
        file: '/tmp/ofd',
        holder: openFileHolder,
      });
      expect((await diagnosed(stage, watch, polls.shell.pid, 'waiting-for-lock')).text).toMatch(
        /polls for a lock file for \d+ (?:s|min) \(\/tmp\/dead\.lock\); process 4194000, which it names, has ended/u,
      );
      expect(jobOf(watch, build.shell.pid)?.diagnoses).toEqual([]);
    }),
  );

  test(
    'a question at the user’s own terminal is the user’s to answer',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const person = await claude.actor.start({
        file: '/bin/bash',
        argv: ['bash', '-c', ownTerminal.replace('exec "cat"', 'exec "tail", "-f", "/dev/null"')],
        env: stage.userEnvironment(),
        setsid: true,
      });
      const shell = await stage.find('who sits at the terminal', ({ argv }) => argv.join(' ') === 'tail -f /dev/null');
      const terminal = readDescriptor(stage.proc, shell.pid, 0) as ScenePath;
      const asks = await claude.actor.start({
        file: '/bin/bash',
        argv: ['/bin/bash', '-c', 'read -r answer'],
        env: claude.environment(),
        setsid: true,
        fds: { 0: terminal },
      });
      const pipe = await claude.actor.start({
        file: '/bin/bash',
        argv: ['/bin/bash', '-c', 'read -r answer'],
        env: claude.environment(),
        setsid: true,
        fds: { 0: 'pipe' },
      });
      const watch = await watchClosely(stage);
      await diagnosed(stage, watch, pipe, 'waiting-on-stdin');
      expect(jobOf(watch, asks)?.diagnoses).toEqual([]);
      expect(person).toBeGreaterThan(1);
    }),
  );
});
