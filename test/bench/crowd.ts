import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Forks the given number of processes, and prints their pids as JSON once the last of them has
 * exec'ed (the pipe that all inherit closes on exec). They differ as on a working machine: of ten,
 * one is a tool shell's leftover in its own session with an agent's markers, two lead groups of
 * their own, one is a fork that never exec'ed, the rest are members of the group; command lines
 * have 2 to 60 words, environments about 2 KiB. Ends all of them when its standard input ends.
 */
const forker = String.raw`
  use POSIX ();
  $| = 1;
  my $count = shift;
  my $leftovers = shift;
  my @children;
  pipe(my $told, my $tell) or die "pipe: $!";
  for my $number (1 .. $count) {
    my $child = fork() // die "fork: $!";
    if (!$child) {
      close $told;
      my $kind = $number % 10;
      $ENV{INVOCATION_ID} = sprintf('%032x', $number);
      if ($kind == 0 && $leftovers) {
        POSIX::setsid();
        $ENV{CLAUDECODE} = 1;
        $ENV{AI_AGENT} = 'claude-code_2-1-329_agent';
        $ENV{CLAUDE_CODE_SESSION_ID} = sprintf('43c8e917-0000-4000-8000-%012x', $number);
        $ENV{CLAUDE_PID} = $number;
      }
      POSIX::setpgid(0, 0) if $kind == 1 || $kind == 2;
      close STDIN;
      close STDOUT;
      if ($kind == 3) { close $tell; sleep 100000 while 1 }
      exec 'sleep', 100000, map { "0.00$_" } 1 .. $number * 7 % 59;
      POSIX::_exit(127);
    }
    push @children, $child;
  }
  close $tell;
  1 while sysread($told, my $nothing, 1);
  print '[', join(',', @children), "]\n";
  1 while sysread(STDIN, $nothing, 1);
  kill 'KILL', @children;
  1 while wait() > 0;
`;

/** A crowd of processes. */
export interface Crowd {
  readonly pids: readonly number[];
  /** Ends all of them and waits until they are gone. */
  disperse(): Promise<void>;
}

/** Returns an environment like a desktop session's, of about 2 KiB. */
const environment = (): Record<string, string> => {
  const variables: Record<string, string> = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/home/me' };
  for (let i = 0; i < 30; i++) variables[`XDG_EXAMPLE_${i}`] = `/home/me/.local/share/example/${i}/path`;
  return variables;
};

/** Starts a crowd; resolves when all of it runs. Without `leftovers` none of them is an agent's. */
export const gather = async (size: number, leftovers = true): Promise<Crowd> => {
  const child = spawn('perl', ['-e', forker, String(size), leftovers ? '1' : '0'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: environment(),
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [unknown];
  if (typeof line !== 'string') throw new Error(`${size} processes could not be started`);
  return {
    pids: JSON.parse(line) as readonly number[],
    disperse: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
