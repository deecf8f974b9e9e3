import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Servers of a session that lives, as many of one that was killed, and agents out of reach. */
const counts = { servers: 14, unreachable: 5 } as const;

/**
 * Starts an agent with half of the servers and lets it live, another with the other half and kills
 * it, and agents whose terminal is hung up. Each server has pairs of sockets as standard input,
 * output and error, and the marks of Claude Code 2.1.329. Prints a line once all of it runs, and
 * ends it when its standard input ends.
 */
const starter = String.raw`
import os, pty, signal, socket, subprocess, sys
servers, unreachable = int(sys.argv[1]), int(sys.argv[2])
def serve(count):
    kept, pids = [], []
    marks = {'PATH': '/usr/bin:/bin', 'CLAUDECODE': '1', 'AI_AGENT': 'claude-code_2-1-329_harness',
        'CLAUDE_CODE_SESSION_ID': '43c8e917-0000-4000-8000-%012x' % os.getpid(),
        'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS': 'x',
        'CLAUDE_CODE_MESSAGING_SOCKET': '/tmp/cc-socks/%d.sock' % os.getpid()}
    for _ in range(count):
        ends = [socket.socketpair() for _ in range(3)]
        one = subprocess.Popen(['mcp-server', '100000'], executable='/bin/sleep', env=marks,
            stdin=ends[0][1], stdout=ends[1][1], stderr=ends[2][1], close_fds=True)
        for own, other in ends:
            other.close()
            kept.append(own)
        pids.append(one.pid)
    return kept, pids
if len(sys.argv) > 3:
    kept, pids = serve(servers)
    print(' '.join(str(pid) for pid in pids), flush=True)
    signal.pause()
def agent(count):
    # The program of an agent is told by its first word.
    one = subprocess.Popen(['claude', __file__, str(count), '0', 'agent'], executable=sys.executable,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True, text=True)
    return one, [int(pid) for pid in one.stdout.readline().split()]
living, with_living = agent(servers // 2)
killed, with_killed = agent(servers - servers // 2)
killed.kill()
killed.wait()
alone, masters = [], []
signal.signal(signal.SIGHUP, signal.SIG_IGN)
for _ in range(unreachable):
    master, slave = pty.openpty()
    def take():
        os.setsid()
        import fcntl, termios
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    one = subprocess.Popen(['codex', '100000'], executable='/bin/sleep', stdin=slave, stdout=slave,
        stderr=slave, preexec_fn=take, restore_signals=False)
    os.close(slave)
    masters.append(master)
    alone.append(one.pid)
for master in masters: os.close(master)
print('ready', flush=True)
sys.stdin.read()
for pid in [living.pid, *with_living, *with_killed, *alone]:
    try: os.kill(pid, signal.SIGKILL)
    except ProcessLookupError: pass
`;

/** Sessions with servers, and agents that no user can reach. */
export interface Agents {
  /** Ends all of them and waits until they are gone. */
  disperse(): Promise<void>;
}

/** In words, for a figure. */
export const agentsInWords = `${counts.servers} servers and ${counts.unreachable} agents out of reach`;

/**
 * Starts them; resolves when all of it runs.
 * @param file where the program may be written
 */
export const gatherAgents = async (file: string): Promise<Agents> => {
  writeFileSync(file, starter);
  const child = spawn('python3', [file, String(counts.servers), String(counts.unreachable)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [unknown];
  if (line !== 'ready') throw new Error(`${agentsInWords} could not be started`);
  return {
    disperse: async () => {
      child.stdin.end();
      await ended;
    },
  };
};
