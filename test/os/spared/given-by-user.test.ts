import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, lookBefore, startCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched, innocent, innocentProgram } from '../scene/innocents.ts';
import { expectSpared } from '../scene/outcome.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

const environments = {
  'in the environment of a terminal':
    'delete $ENV{$_} for grep /CLAUDE|AGENT/, keys %ENV; $ENV{TERM_PROGRAM} = "WezTerm";',
  'in an environment without marks': 'delete $ENV{$_} for grep /CLAUDE|AGENT/, keys %ENV;',
  'in its own environment': '',
} as const;

const asking = (socket: string) => ({
  file: '/usr/bin/perl',
  env: {},
  argv: ['perl', '-MIO::Socket::UNIX', '-MIO::Socket::INET', '-e', `IO::Socket::${socket} or die`],
});

/** What a daemon starts within a second after its own start counts as its own. */
const ownChildMs = 1_500;

/** Runs what it is asked for in a kernel session of its own. */
const queueIn = (environment: keyof typeof environments): string => `use POSIX; $SIG{CHLD} = "IGNORE";
while (1) {
  if (-e "/tmp/work/asked") {
    unlink "/tmp/work/asked";
    if (!fork) {
      POSIX::setsid(); ${environments[environment]}
      open STDIN, "</dev/null"; open STDOUT, ">/dev/null"; open STDERR, ">/dev/null";
      exec "node", "/tmp/work/batch.js";
    }
  }
  select undef, undef, undef, 0.05;
}`;

/**
 * Runs what a client of its socket asks for in its own session and group: a child, or what that
 * starts.
 * @param more what the child does first
 */
const socketQueue = (more = ''): string => `use IO::Socket::UNIX; $SIG{CHLD} = "IGNORE";
my $socket = IO::Socket::UNIX->new(Local => "/tmp/work/queue.sock", Listen => 5) or die;
while (my $client = $socket->accept) {
  close $client;
  next if fork;
  close $socket; ${more}
  open STDIN, "</dev/null"; open STDOUT, ">/dev/null"; open STDERR, ">/dev/null";
  exec "node", "/tmp/work/batch.js";
}`;

/** The same by lines of a named pipe. */
const pipeQueue = (name: string): string => `use POSIX; $SIG{CHLD} = "IGNORE"; POSIX::mkfifo("/tmp/work/${name}", 0600);
open P, "+</tmp/work/${name}" or die;
while (<P>) { next if fork; open STDIN, "</dev/null"; exec "node", "/tmp/work/batch.js"; }`;
const queues = {
  file: queueIn('in its own environment'),
  socket: socketQueue(),
  'a socket, for which the queue forks itself': socketQueue('if (my $pid = fork) { waitpid $pid, 0; exit }'),
  'a socket, for which the queue forks itself twice': socketQueue('exit if fork;'),
  pipe: pipeQueue('queue.pipe'),
  'a pipe called as that of a build': pipeQueue('GMfifo1'),
} as const;

/** Listens, and starts helpers with which it speaks when it is asked; one as Node's `fork` does. */
const devServer = `use Socket; use IO::Socket::INET; use IPC::Open2; use POSIX ();
my $socket = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 3100, Listen => 5, ReuseAddr => 1) or die;
open F, ">/tmp/work/waits"; print F $$; close F;
while (my $client = $socket->accept) { close $client; open2(my $out, my $in, "compiler", "/tmp/work/compiler.js");
socketpair(my $own, my $its, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die;
if (!fork) { POSIX::dup2(fileno($its), 3); exec "compiler", "/tmp/work/worker.js" }
close $its; push @held, $out, $in, $own; }`;

/** Counts its work by a pipe with a name, as make 4.4 does, and starts a part when it is asked. */
const build = `use Fcntl; use POSIX (); my $pipe = "/tmp/work/GMfifo$$"; POSIX::mkfifo($pipe, 0600) or die;
sysopen R, $pipe, O_RDONLY | O_NONBLOCK or die; sysopen W, $pipe, O_WRONLY or die;
open F, ">/tmp/work/waits"; print F $$; close F;
select undef, undef, undef, 0.05 until -e "/tmp/work/asked";
if (!fork) { exec "compiler", "/tmp/work/part.js" } sleep 3600`;

const bySocket = async (stage: Scene) =>
  void (await stage.top.start(asking('UNIX->new(Peer => "/tmp/work/queue.sock")')));

const asksBy = {
  file: async (stage: Scene) => void stage.write('/tmp/work/asked', ''),
  pipe: async (stage: Scene) => stage.append('/tmp/work/queue.pipe', 'now\n'),
  'a pipe called as that of a build': async (stage: Scene) => stage.append('/tmp/work/GMfifo1', 'now\n'),
  socket: bySocket,
  'a socket, for which the queue forks itself': bySocket,
  'a socket, for which the queue forks itself twice': bySocket,
  port: async (stage: Scene) => void (await stage.top.start(asking('INET->new(PeerAddr => "127.0.0.1:3100")'))),
} as const;

describe.concurrent('what a tool call started, and what is the user’s in it', () => {
  for (const [when, environment] of [
    ['before', 'in the environment of a terminal'],
    ['after', 'in the environment of a terminal'],
    ['after', 'in an environment without marks'],
    ['before', 'in its own environment'],
    ['after', 'in its own environment'],
  ] as const)
    test(
      `a queue in which the user’s own job runs ${environment}, begun ${when} the end of the session`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        for (const name of ['queued', 'node']) stage.program(`/tmp/scene/path/${name}`);
        stage.write('/tmp/work/queue.pl', queueIn(environment));
        const job = innocentProgram(stage, '/tmp/work/batch.js');
        await claude.foregroundSeen('setsid queued /tmp/work/queue.pl </dev/null >/dev/null 2>&1 & true');
        const daemon = await stage.find('the queue', ({ argv }) => argv[1] === '/tmp/work/queue.pl');
        if (when === 'after') await claude.crash();
        await lookBefore(stage);
        await sleep(ownChildMs);
        stage.write('/tmp/work/asked', '');
        const own = await job.ready();
        await lookBefore(stage);
        if (when === 'before') await claude.crash();
        const look = await expectSpared(stage, [own, bystander(stage, 'the queue', daemon.pid)]);
        expect(jobWith(look, own.identity.pid)).toMatchObject({ proof: 'claimed', owner: 'unknown' });
      }),
    );

  for (const [which, begin] of [
    ['of which no look saw the shell, which forked itself twice', 'queued /tmp/work/daemon.pl'],
    [
      'in the session of its tool call, in an environment of its own',
      'nohup env -i PATH="$PATH" queued /tmp/work/queue.pl',
    ],
  ] as const)
    test(
      `a queue ${which}, and the user’s own job in it`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        for (const name of ['queued', 'node']) stage.program(`/tmp/scene/path/${name}`);
        const queue = `open F, ">/tmp/work/waits"; print F $$; close F; ${queueIn('in its own environment')}`;
        stage.write('/tmp/work/queue.pl', queue);
        stage.write('/tmp/work/daemon.pl', `use POSIX; exit if fork; POSIX::setsid(); exit if fork; ${queue}`);
        const job = innocentProgram(stage, '/tmp/work/batch.js');
        const call = `${begin} </dev/null >/dev/null 2>&1 & true`;
        await (which.startsWith('of which') ? claude.foreground(call) : claude.foregroundSeen(call));
        await stage.until(
          'the queue waits',
          () => stage.has('/tmp/work/waits') && stage.read('/tmp/work/waits') !== '',
        );
        const daemon = stage.identity(Number(stage.read('/tmp/work/waits')));
        await lookBefore(stage);
        await sleep(ownChildMs);
        stage.write('/tmp/work/asked', '');
        const own = await job.ready();
        await claude.crash();
        await expectSpared(stage, [own, bystander(stage, 'the queue', daemon.pid)]);
      }),
    );

  for (const [how, asked] of [
    ['in a call that has returned', 'file'],
    ['in a call that has returned', 'socket'],
    ['in a call that has returned', 'a socket, for which the queue forks itself'],
    ['in a call that has returned', 'a socket, for which the queue forks itself twice'],
    ['in a call that has returned', 'pipe'],
    ['in a call that has returned', 'a pipe called as that of a build'],
    ['in the background', 'socket'],
  ] as const)
    test(
      `a marked queue in the session of its call, ${how}, and the user’s own job that was asked for by ${asked}`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        for (const name of ['queued', 'node']) stage.program(`/tmp/scene/path/${name}`);
        stage.write('/tmp/work/queue.pl', `open F, ">/tmp/work/waits"; print F $$; close F; ${queues[asked]}`);
        const job = innocentProgram(stage, '/tmp/work/batch.js');
        const call = 'nohup queued /tmp/work/queue.pl </dev/null >/dev/null 2>&1';
        await (how === 'in the background' ? claude.bash(call) : claude.foregroundSeen(`${call} & true`));
        const isThere = () => stage.has('/tmp/work/waits') && stage.read('/tmp/work/waits') !== '';
        await stage.until('the queue began', isThere);
        if (asked !== 'file')
          await stage.until('the queue waits', () =>
            ['queue.pipe', 'queue.sock', 'GMfifo1'].some((name) => stage.has(`/tmp/work/${name}`)),
          );
        const daemon = stage.identity(Number(stage.read('/tmp/work/waits')));
        await lookBefore(stage);
        await sleep(ownChildMs);
        await asksBy[asked](stage);
        const own = await job.ready();
        await lookBefore(stage);
        await claude.crash();
        const look = await expectSpared(stage, [own, bystander(stage, 'the queue', daemon.pid)]);
        expect(jobWith(look, own.identity.pid)).toMatchObject({ proof: 'claimed', owner: 'unknown' });
      }),
    );

  for (const [how, order] of [
    ['one beside the other', 'sh -c "$order" & '],
    ['one after the other', 'sh -c "$order"; '],
  ] as const)
    test(
      `a loop of the call itself that runs what is written to a named pipe, ${how}, and the user’s own job`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        stage.program('/tmp/scene/path/node');
        const job = innocentProgram(stage, '/tmp/work/batch.js');
        await claude.foregroundSeen(
          // It goes on where the writer is slow to close the pipe, and it reads the end.
          `mkfifo /tmp/work/orders; (while :; do read -r order </tmp/work/orders || continue; ${order}done) </dev/null >/dev/null 2>&1 & true`,
        );
        await lookBefore(stage);
        await sleep(ownChildMs);
        stage.append('/tmp/work/orders', 'exec node /tmp/work/batch.js\n');
        const own = await job.ready();
        await claude.crash();
        const look = await expectSpared(stage, [own]);
        expect(jobWith(look, own.identity.pid)).toMatchObject({ proof: 'claimed', owner: 'unknown' });
      }),
    );

  test(
    'a dev server that starts helpers late, and speaks with them, is a leftover with them',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      for (const name of ['server', 'compiler']) stage.program(`/tmp/scene/path/${name}`);
      stage.write('/tmp/work/server.pl', devServer);
      stage.write('/tmp/work/compiler.js', 'while (<STDIN>) {}');
      stage.write('/tmp/work/worker.js', 'sleep 3600');
      await claude.foregroundSeen('nohup server /tmp/work/server.pl </dev/null >/dev/null 2>&1 & true');
      const isThere = () => stage.has('/tmp/work/waits') && stage.read('/tmp/work/waits') !== '';
      await stage.until('the server listens', isThere);
      await lookBefore(stage);
      await sleep(ownChildMs);
      await asksBy.port(stage);
      const compiler = await stage.find('the compiler', ({ argv }) => argv[1] === '/tmp/work/compiler.js');
      const worker = await stage.find('the worker', ({ argv }) => argv[1] === '/tmp/work/worker.js');
      const left = [Number(stage.read('/tmp/work/waits')), compiler.pid, worker.pid].map((pid) => stage.identity(pid));
      await lookBefore(stage);
      await claude.crash();
      await expectSpared(stage, []);
      expectGone(stage, left);
    }),
  );

  test(
    'a build that counts its work by a pipe, and a part that it starts late, are left over',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      for (const name of ['make', 'compiler']) stage.program(`/tmp/scene/path/${name}`);
      stage.write('/tmp/work/make.pl', build);
      stage.write('/tmp/work/part.js', 'sleep 3600');
      await claude.foregroundSeen('nohup make /tmp/work/make.pl </dev/null >/dev/null 2>&1 & true');
      const isThere = () => stage.has('/tmp/work/waits') && stage.read('/tmp/work/waits') !== '';
      await stage.until('the build waits', isThere);
      await lookBefore(stage);
      await sleep(ownChildMs);
      await asksBy.file(stage);
      const part = await stage.find('the part', ({ argv }) => argv[1] === '/tmp/work/part.js');
      const left = [Number(stage.read('/tmp/work/waits')), part.pid].map((pid) => stage.identity(pid));
      await lookBefore(stage);
      await claude.crash();
      await expectSpared(stage, []);
      expectGone(stage, left);
    }),
  );

  for (const how of ['one pass', 'a watch'] as const)
    test(
      `a queue that came and went between two looks of ${how}, and the user’s own job that it began`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        for (const name of ['queued', 'node']) stage.program(`/tmp/scene/path/${name}`);
        stage.write('/tmp/work/queue.pl', queueIn('in its own environment'));
        const job = innocentProgram(stage, '/tmp/work/batch.js');
        const seen = await claude.bash('sleep 7001');
        writeSettings(stage, { orphanGraceSeconds: 0, noticeSeconds: 0, scanIntervalSeconds: 5, mode: 'enforce' });
        const watch = how === 'a watch' ? await startCurfew(stage, ['watch', '--json']) : null;
        await (watch === null ? lookBefore(stage) : afterLooks(stage, watch, 1));
        await claude.foreground('setsid queued /tmp/work/queue.pl </dev/null >/dev/null 2>&1 & true');
        stage.write('/tmp/work/asked', '');
        const own = await job.ready();
        const daemon = await stage.find('the queue', ({ argv }) => argv[1] === '/tmp/work/queue.pl');
        await stage.first.signal(daemon.pid, 'KILL');
        await stage.until('the queue is gone', () => stage.row(daemon.pid) === null);
        await claude.crash();
        if (watch === null) await expectSpared(stage, [own]);
        else {
          await stage.until('what a look saw is ended', () => !stage.lives(seen.shell));
          await afterLooks(stage, watch, 3);
          await watch.signal('TERM');
          await watch.ended();
        }
        expectUntouched(stage, [own]);
        expectGone(stage, [seen.shell]);
      }),
    );

  test(
    'a service of the user that a tool call started again, by the same command on the same port',
    scene(async (stage) => {
      stage.program('/tmp/scene/path/node');
      const argv = ['node', '/tmp/work/server.js'] as const;
      const before = await innocent(stage, { argv, cwd: '/tmp/work', setsid: true }, { port: 3000 });
      await lookBefore(stage);
      const claude = await FakeClaude.start(stage);
      await stage.first.signal(before.identity.pid, 'KILL');
      await stage.until('it has ended', () => !stage.lives(before.identity));
      const again = innocentProgram(stage, '/tmp/work/server.js', { port: 3000 });
      const other = innocentProgram(stage, '/tmp/work/other.js', { port: 3001 });
      for (const name of ['server', 'other'])
        await claude.foregroundSeen(`cd /tmp/work; nohup node ${name}.js </dev/null >/dev/null 2>&1 & true`);
      const [service, leftover] = [await again.ready(), await other.ready()];
      await claude.crash();
      const look = await expectSpared(stage, [service]);
      expect(jobWith(look, service.identity.pid)).toMatchObject({ proof: 'claimed', owner: 'unknown' });
      expect(stage.lives(leftover.identity)).toBe(false);
    }),
  );
});
