import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith } from '../scene/curfew.ts';
import { bystander } from '../scene/innocents.ts';
import { expectSpared } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { writeSettings } from '../scene/watching.ts';

const begin = `import ctypes, mmap, os, socket, time
libc = ctypes.CDLL(None, use_errno=True)
def until(path):
    while not os.path.exists(path): time.sleep(0.05)
def done(path):
    open(path, "w").close()
    time.sleep(3600)
`;

const attach = `libc.shmat.restype = ctypes.c_void_p
i = libc.shmget(77, 4096, 0o1600)
assert i >= 0
a = libc.shmat(i, None, 0)
assert a not in (None, ctypes.c_void_p(-1).value)`;

/** Ways in which two programs share something that has no name, or none in a folder. */
const ways = [
  {
    by: 'memory',
    what: 'memory of System V',
    leftover: `${attach}\ndone("/tmp/made")`,
    user: `until("/tmp/made")\n${attach}\ndone("/tmp/ready")`,
  },
  {
    by: 'memory',
    what: 'memory without a name, handed over by a socket that is closed',
    leftover: `f = os.memfd_create("frames"); os.truncate(f, 4096); m = mmap.mmap(f, 4096)
s = socket.socket(socket.AF_UNIX); s.bind("/tmp/hand.sock"); s.listen()
c, _ = s.accept(); socket.send_fds(c, [b"x"], [f]); c.recv(1); c.close(); s.close(); os.unlink("/tmp/hand.sock"); os.close(f)
done("/tmp/made")`,
    user: `c = socket.socket(socket.AF_UNIX)
while c.connect_ex("/tmp/hand.sock"): time.sleep(0.05)
_, fds, _, _ = socket.recv_fds(c, 1, 1); m = mmap.mmap(fds[0], 4096); os.close(fds[0]); c.send(b"y"); c.close()
until("/tmp/made"); done("/tmp/ready")`,
  },
  {
    by: 'pipe',
    what: 'a queue of messages',
    leftover: `q = libc.mq_open(b"/orders", os.O_RDONLY | os.O_CREAT, 0o600, None)
assert q >= 0
done("/tmp/made")`,
    user: `until("/tmp/made"); q = libc.mq_open(b"/orders", os.O_WRONLY)
assert q >= 0
done("/tmp/ready")`,
  },
  {
    by: 'pipe',
    what: 'a pipe of the leftover, opened by way of /proc',
    leftover: `r, w = os.pipe(); open("/tmp/pid", "w").write("%d %d" % (os.getpid(), r)); done("/tmp/made")`,
    user: `until("/tmp/made"); p, r = open("/tmp/pid").read().split()
w = os.open("/proc/%s/fd/%s" % (p, r), os.O_WRONLY)
done("/tmp/ready")`,
  },
  {
    by: 'outgoing',
    what: 'a socket of the leftover that the user’s program got from it',
    leftover: `a, b = socket.socketpair()
s = socket.socket(socket.AF_UNIX); s.bind("/tmp/hand.sock"); s.listen()
c, _ = s.accept(); socket.send_fds(c, [b"x"], [b.fileno()]); c.recv(1); c.close(); s.close(); b.close()
done("/tmp/made")`,
    user: `c = socket.socket(socket.AF_UNIX)
while c.connect_ex("/tmp/hand.sock"): time.sleep(0.05)
_, fds, _, _ = socket.recv_fds(c, 1, 1); c.send(b"y"); c.close()
until("/tmp/made"); done("/tmp/ready")`,
  },
] as const;

describe.concurrent('a leftover that shares with a program of the user', () => {
  for (const { what, leftover, user, by } of ways)
    test(
      `is kept: ${what}`,
      scene(async (stage) => {
        writeSettings(stage, { mode: 'enforce', orphanGraceSeconds: 0 });
        const claude = await FakeClaude.start(stage);
        const [own, other] = [begin + leftover, begin + user];
        stage.write('/tmp/scene/leftover.py', own);
        stage.write('/tmp/scene/user.py', other);
        await claude.bash('python3 /tmp/scene/leftover.py');
        const left = await stage.find('the leftover', ({ argv }) => argv[1] === '/tmp/scene/leftover.py');
        const mine = await stage.top.begin({
          file: '/usr/bin/python3',
          argv: ['python3', '/tmp/scene/user.py'],
          env: stage.userEnvironment(),
          setsid: true,
        });
        await stage.until('both have it', () => stage.has('/tmp/ready'), 60);
        await claude.crash();
        const look = await expectSpared(stage, [
          bystander(stage, 'the leftover', left.pid),
          bystander(stage, 'the user’s', mine.pid),
        ]);
        const { verdict } = jobWith(look, left.pid);
        expect(verdict.reasons.find(({ code }) => code === 'in-use')?.figures?.['by']).toBe(by);
      }),
    );
});
