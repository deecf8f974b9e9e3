import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { type Pid, asPid } from '../../app/process/identity.ts';
import { eventually } from './eventually.ts';

/** Real processes for a test file. `endAll` ends each by its own handle. */
export class Children {
  readonly #children = new Set<ChildProcess>();
  /** These end their own child when they are terminated. */
  readonly #recyclers = new Set<ChildProcess>();

  /** Starts a program; its pid is known at once. */
  start(
    file: string,
    args: readonly string[] = [],
    options: SpawnOptions = {},
  ): ChildProcess & { readonly pid: number } {
    const child = spawn(file, args, { stdio: 'ignore', ...options });
    if (child.pid === undefined) throw new Error(`${file} could not be started`);
    this.#children.add(child);
    return Object.assign(child, { pid: child.pid });
  }

  /** Starts a program that prints lines, and gives the first one. */
  async startTelling(
    file: string,
    args: readonly string[],
    options: SpawnOptions = {},
  ): Promise<{ readonly child: ChildProcess & { readonly pid: number }; readonly line: string }> {
    const child = this.start(file, args, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
    if (child.stdout === null) throw new Error('no standard output');
    const lines = createInterface({ input: child.stdout });
    const line = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => {
        reject(new Error(`${file} ended without a line`));
      });
    });
    return { child, line };
  }

  /** Starts perl with a program text. */
  perl(script: string, args: readonly string[] = [], options: SpawnOptions = {}): ReturnType<Children['start']> {
    return this.start('perl', ['-e', script, ...args], options);
  }

  /** Starts perl with a program text that prints a line. */
  perlTelling(script: string, args: readonly string[] = []): ReturnType<Children['startTelling']> {
    return this.startTelling('perl', ['-e', `$| = 1; ${script}`, ...args]);
  }

  /**
   * Starts a program under exactly this pid, which must be free, by setting the kernel's last pid.
   * Other processes and threads of the namespace take pids meanwhile, so it retries until it
   * succeeds.
   */
  async recycle(pid: number, file: string, ...args: readonly string[]): Promise<void> {
    // Two processes that start within one tick (10 ms) can't be distinguished, and on no machine is
    // a pid reused so soon.
    await pause(30);
    const { child, line } = await this.startTelling('perl', ['-e', recycler, String(pid), file, ...args]);
    if (line !== 'recycled') throw new Error(`pid ${pid} could not be had`);
    this.#recyclers.add(child);
  }

  /** Ends a child and waits until its parent, this process, has reaped it. */
  async end(child: ChildProcess): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      if (this.#recyclers.has(child)) child.stdin?.end();
      else child.kill('SIGKILL');
      await ended;
    }
    this.#children.delete(child);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#children].map((child) => this.end(child)));
  }
}

const recycler = String.raw`
  $| = 1;
  my ($pid, @command) = @ARGV;
  for (1 .. 2000) {
    pipe(my $told, my $tell) or die "pipe: $!";
    open(my $last, '>', '/proc/sys/kernel/ns_last_pid') or die "ns_last_pid: $!";
    print {$last} $pid - 1;
    close $last or die "ns_last_pid: $!";
    my $child = fork() // die "fork: $!";
    if ($child == 0) {
      sleep 1 until $$ == $pid;
      open(STDIN, '<', '/dev/null');
      open(STDOUT, '>', '/dev/null');
      exec @command or die "exec: $!";
    }
    close $tell;
    if ($child == $pid) {
      my $ignored = <$told>;    # ends at the exec, which closes the other end
      print "recycled\n";
      1 while sysread(STDIN, $ignored, 1);
      kill 'KILL', $pid;
      exit 0;
    }
    kill 'KILL', $child;
    waitpid $child, 0;
  }
  die "pid $pid could not be had";
`;

const diarist = String.raw`
  use Config;
  open(my $diary, '>>', $ARGV[0]) or die "diary: $!";
  for my $name (grep { !/^(?:ZERO|KILL|STOP|CHLD|CLD|NUM\d+|RT.*|SEGV|BUS|ILL|FPE|ABRT|IOT|TRAP)$/ } split ' ', $Config{sig_name}) {
    $SIG{$name} = sub { syswrite($diary, "$name\n") };
  }
  syswrite($diary, "alive\n");
  sleep 1000 while 1;
`;

/**
 * A program that must not be signalled: it writes each signal it gets into a file, after the line
 * "alive", and keeps running.
 */
export const innocent = (diary: string): readonly [string, ...string[]] => ['perl', '-e', diarist, diary];

/** The kernel's own state letter of a process. */
export const stateLetter = (pid: number): string | undefined => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2)[0];
};

/**
 * Waits until a process runs this program (its argv[0]) and sleeps, so that its row stays the same.
 */
export const running = async (pid: number, argv0: string): Promise<Pid> => {
  await eventually(() => {
    const first = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0];
    if (first !== argv0 || stateLetter(pid) !== 'S') throw new Error(`${pid} runs ${first}`);
  });
  return asPid(pid);
};
