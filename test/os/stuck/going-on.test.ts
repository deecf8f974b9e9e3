import { describe, expect, test } from 'vitest';
import { jobWith, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { innocent } from '../scene/innocents.ts';
import { scene } from '../scene/scene.ts';
import { diagnosed, jobOf, watchClosely } from './watched.ts';

const client = (port: number, body: string): string =>
  `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new("127.0.0.1:${port}") or die; ${body}'`;
const answering = `perl -MIO::Socket::INET -e '$l = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 7002, Listen => 5) or die; $c = $l->accept; while (sysread($c, $x, 9)) { syswrite($c, "none yet") }'`;

describe.concurrent('jobs that run on without result, and others at work', () => {
  test(
    'T21: busy loop, polling, leak and flood; a silent computation, a server, a heartbeat, a finished log',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const spins = await claude.bash('while :; do :; done');
      const polls = await claude.bash('until [ -f /tmp/never ]; do sleep 1; done');
      const leaks = await claude.bash(
        `ulimit -n 1000; perl -e 'while (1) { open my $f, "<", "/dev/null"; push @f, $f; select(undef, undef, undef, 0.05) }'`,
      );
      // Sparse, so that it takes no memory: what counts is the size.
      const floods = await claude.bash(
        'truncate -s 70M /tmp/flood.log; exec >> /tmp/flood.log; while :; do truncate -s +2M /tmp/flood.log; sleep 0.3; done',
      );
      const healthy = [
        await claude.bash(
          `perl -e 'while (1) { my @a = (1 .. 200000); my @b = map { $_ * 2 } @a; select(undef, undef, undef, 0.05) }'`,
        ),
        await claude.bash(
          `perl -MIO::Socket::INET -e '$l = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 7003, Listen => 5); $l->accept'`,
        ),
        await claude.bash('while true; do date > /tmp/heartbeat; sleep 1; done'),
        await claude.bash('for page in $(seq 9999); do date > /tmp/page; sleep 1; done'),
        await claude.bash(
          `perl -e 'while (1) { open my $f, ">>", "/tmp/scheduled"; syswrite($f, "done"); close $f; select(undef, undef, undef, 1) }'`,
        ),
        await claude.bash(`perl -e 'for (1 .. 400) { open my $f, "<", "/dev/null"; push @f, $f } sleep 9999'`),
        await claude.bash('exec > /tmp/long.log; truncate -s 900M /tmp/long.log; sleep 9996'),
      ];
      const watch = await watchClosely(stage);
      const [spinning, polling, leaking, flooding] = await Promise.all([
        diagnosed(stage, watch, spins.shell.pid, 'spinning'),
        diagnosed(stage, watch, polls.shell.pid, 'polling'),
        diagnosed(stage, watch, leaks.shell.pid, 'leaking-descriptors'),
        diagnosed(stage, watch, floods.shell.pid, 'flooding-output'),
      ]);
      expect(spinning.text).toContain('so it is probably a busy loop');
      expect(polling.figures).toMatchObject({ condition: 'until [ -f /tmp/never ]' });
      expect(leaking.figures).toMatchObject({ limit: 1000 });
      expect(Number(leaking.figures['more'])).toBeGreaterThanOrEqual(16);
      expect(flooding.figures).toMatchObject({ file: '/tmp/flood.log' });
      expect(Object.keys(flooding.figures)).toContain('freeBytes');
      expect(healthy.map(({ shell, command }) => [command, jobOf(watch, shell.pid)?.diagnoses])).toEqual(
        healthy.map(({ command }) => [command, []]),
      );
      expect(jobOf(watch, polls.shell.pid)?.verdict).toMatchObject({ action: 'notify' });
      // Its memory outlives it: a single scan later reports the same.
      await watch.signal('TERM');
      await watch.ended();
      const look = await scan(stage);
      expect(jobWith(look, polls.shell.pid).diagnoses).toEqual(['polling']);
      expect(jobWith(look, spins.shell.pid).diagnoses).toEqual(['spinning']);
    }),
  );

  test(
    'a connection without traffic; one that polls for news',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await innocent(stage, { argv: ['node', 'silent-server.js'] }, { port: 7001 });
      stage.write('/tmp/scene/answers.sh', answering);
      await stage.top.start({
        file: '/bin/bash',
        argv: ['bash', '/tmp/scene/answers.sh'],
        env: stage.userEnvironment(),
      });
      await stage.until('a server listens', () => stage.read('/proc/1/net/tcp').includes(':1B5A 00000000:0000 0A'));
      const hangs = await claude.bash(client(7001, 'sysread($s, $x, 1)'));
      const asks = await claude.bash(
        client(7002, '$s->sockopt(SO_KEEPALIVE, 1); while (1) { syswrite($s, "news?"); sysread($s, $x, 9); sleep 1 }'),
      );
      const watch = await watchClosely(stage);
      const told = await diagnosed(stage, watch, hangs.shell.pid, 'long-connection');
      expect(told.figures).toMatchObject({ address: '127.0.0.1:7001', keptAlive: 0 });
      expect(told.text).toContain('it will never notice');
      expect(jobOf(watch, asks.shell.pid)?.diagnoses).not.toContain('long-connection');
    }),
  );
});
