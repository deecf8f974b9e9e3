import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts jobs that an ended session of Claude Code left, every second of them deaf to TERM, and as
 * many processes that look the same and carry none of its marks; each in its own session. Prints
 * their pids, and the time of the last start, as one JSON line. Ends them all when its standard
 * input ends.
 */
const forker = String.raw`
  use POSIX ();
  use Time::HiRes ();
  $| = 1;
  $SIG{CHLD} = 'IGNORE';
  my $count = shift;
  my $gone = fork() // die "fork: $!";
  POSIX::_exit(0) if !$gone;
  my (@jobs, @innocents);
  pipe(my $told, my $tell) or die "pipe: $!";
  for my $number (1 .. 2 * $count) {
    my $child = fork() // die "fork: $!";
    if (!$child) {
      close $told;
      POSIX::setsid();
      $SIG{CHLD} = 'DEFAULT';
      $SIG{TERM} = 'IGNORE' if $number % 4 < 2;
      if ($number % 2) {
        $ENV{CLAUDECODE} = 1;
        $ENV{AI_AGENT} = 'claude-code_2-1-329_agent';
        $ENV{CLAUDE_CODE_SESSION_ID} = sprintf('43c8e917-0000-4000-8000-%012x', $number);
        $ENV{CLAUDE_PID} = $gone;
      }
      close STDIN;
      close STDOUT;
      exec 'sleep', 100000, "0.$number";
      POSIX::_exit(127);
    }
    if ($number % 2) { push @jobs, $child } else { push @innocents, $child }
  }
  close $tell;
  1 while sysread($told, my $nothing, 1);
  printf qq({"jobs":[%s],"innocents":[%s],"readyMs":%d}\n), join(',', @jobs), join(',', @innocents), 1000 * Time::HiRes::time();
  1 while sysread(STDIN, $nothing, 1);
  kill 'KILL', @innocents, @jobs;
`;

/** Jobs that become overdue, and innocents. */
export interface OverdueCrowd {
  readonly jobs: readonly number[];
  readonly innocents: readonly number[];
  /** Wall clock when the last of them ran, milliseconds. */
  readonly readyMs: number;
  /** Ends the remaining ones. */
  disperse(): Promise<void>;
}

/** Starts `count` jobs and as many innocents. */
export const gatherOverdue = async (count: number): Promise<OverdueCrowd> => {
  const child = spawn('perl', ['-e', forker, String(count)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [unknown];
  if (typeof line !== 'string') throw new Error(`${count} jobs could not be started`);
  const crowd = JSON.parse(line) as Omit<OverdueCrowd, 'disperse'>;
  return {
    ...crowd,
    disperse: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
