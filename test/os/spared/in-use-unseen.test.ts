import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reapOrphans, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { expectSpared } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { writeSettings } from '../scene/watching.ts';
import { inScene, leaves, withoutKoffi, withoutSs } from './sockets-unseen.ts';

/**
 * Ways to be connected to a server; the server writes the file `taken` once it has a client, or is
 * about to.
 */
const ways = [
  {
    what: 'a port',
    serve:
      '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:5433"); while (1) { push @c, $s->accept; open F, ">/tmp/taken" }',
    connect: 'IO::Socket::INET->new("127.0.0.1:5433")',
  },
  {
    what: 'a socket with a path',
    serve:
      '$s = IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/db.sock"); while (1) { push @c, $s->accept; open F, ">/tmp/taken" }',
    connect: 'IO::Socket::UNIX->new("/tmp/db.sock")',
  },
  {
    what: 'a socket with an abstract name',
    serve:
      '$s = IO::Socket::UNIX->new(Listen => 5, Local => "\\0db"); while (1) { push @c, $s->accept; open F, ">/tmp/taken" }',
    connect: 'IO::Socket::UNIX->new("\\0db")',
  },
  {
    what: 'a socket with a path that takes datagrams',
    serve:
      '$s = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => "/tmp/db.sock"); while (1) { $s->recv($d, 9); open F, ">/tmp/taken" }',
    connect: '($t = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Peer => "/tmp/db.sock")) && $t->send("x") && $t',
    takesFromAny: true,
  },
  {
    what: 'a UDP port',
    serve:
      '$s = IO::Socket::INET->new(Proto => "udp", LocalAddr => "127.0.0.1:5434"); while (1) { $s->recv($d, 9); open F, ">/tmp/taken" }',
    // A datagram that is sent before the server has bound its port is lost: it is sent until it
    // arrives.
    connect:
      '($t = IO::Socket::INET->new(Proto => "udp", PeerAddr => "127.0.0.1:5434")) && $t->send("x") && -e "/tmp/taken" && $t',
    takesFromAny: true,
  },
  {
    what: 'a port of a server that has not accepted it yet',
    serve: '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:5433"); sleep 3600',
    connect: 'IO::Socket::INET->new("127.0.0.1:5433")',
    takes: false,
  },
  {
    what: 'a path of a server that has not accepted it yet',
    serve: '$s = IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/db.sock"); sleep 3600',
    connect: 'IO::Socket::UNIX->new("/tmp/db.sock")',
    takes: false,
  },
  {
    what: 'a port of a server that listens no more',
    serve:
      '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:5433"); $c = $s->accept; close $s; open F, ">/tmp/taken"; close F; sleep 3600',
    connect: 'IO::Socket::INET->new("127.0.0.1:5433")',
  },
] as const;

const serverOf = (stage: Scene) =>
  stage.find('the server', ({ argv }) => argv[0] === 'perl' && argv.at(-1)?.startsWith('$s = ') === true);

/** A program of the user that connects and stays. */
const clientOf = (stage: Scene, connect: string) =>
  stage.top.begin({
    file: '/usr/bin/perl',
    argv: [
      'perl',
      '-MIO::Socket',
      '-e',
      `until ($c = ${connect}) { select undef, undef, undef, 0.05 } open F, ">/tmp/connected"; close F; sleep 3600`,
    ],
    env: stage.userEnvironment(),
    setsid: true,
  });

/**
 * Checks that a leftover is spared because of its client, and ended once that is gone, if that can
 * be told.
 */
const expectClientSpares = async (stage: Scene, way: (typeof ways)[number]): Promise<void> => {
  const claude = await FakeClaude.start(stage);
  await claude.bash(leaves(way.serve));
  const server = await serverOf(stage);
  const client = await clientOf(stage, way.connect);
  await stage.until(
    'it is connected',
    () => stage.has('/tmp/connected') && ('takes' in way || stage.has('/tmp/taken')),
  );
  await claude.crash();
  const innocents = [bystander(stage, 'the server', server.pid), bystander(stage, 'the client', client.pid)];
  await expectSpared(stage, innocents);
  expect(jobWith(await scan(stage), server.pid).owner).toBe('gone');
  await stage.first.signal(client.pid, 'KILL');
  await stage.until('the client is gone', () => !stage.lives(client));
  await reapOrphans(stage);
  const theServer = innocents.slice(0, 1);
  // Who sends datagrams can't be told, so it stays.
  if ('takesFromAny' in way) expectUntouched(stage, theServer);
  else
    expectGone(
      stage,
      theServer.map(({ identity }) => identity),
    );
};

describe.concurrent('a leftover with a client', () => {
  for (const way of ways)
    test(
      `is spared on a machine without ss, and no longer than the connection: ${way.what}`,
      scene(async (stage) => {
        await withoutSs(stage);
        await expectClientSpares(stage, way);
      }),
    );

  for (const way of ways.slice(0, 2))
    test(
      `is spared among 20,000 local sockets: ${way.what}`,
      scene(async (stage) => {
        const pairs = 'socketpair($a[$_], $b[$_], AF_UNIX, SOCK_STREAM, 0) for 1 .. 500';
        for (let each = 0; each < 20; each++)
          await stage.top.start({
            file: '/usr/bin/perl',
            argv: ['perl', '-MSocket', '-e', `${pairs}; open F, ">/tmp/full-${each}"; sleep 3600`],
            env: stage.userEnvironment(),
            setsid: true,
          });
        await stage.until('all are open', () =>
          Array.from({ length: 20 }).every((_, each) => stage.has(`/tmp/full-${each}`)),
        );
        await expectClientSpares(stage, way);
      }),
    );

  test(
    'is spared if the client is in another network namespace, whose sockets are invisible',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.bash(leaves(ways[1].serve));
      const server = await serverOf(stage);
      const connect = `until ($c = ${ways[1].connect}) { select undef, undef, undef, 0.05 } sleep 3600`;
      await stage.top.begin({
        file: '/usr/bin/unshare',
        argv: ['unshare', '--net', 'perl', '-MIO::Socket', '-e', connect],
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.until('it is connected', () => stage.has('/tmp/taken'));
      await claude.crash();
      await expectSpared(stage, [bystander(stage, 'the server', server.pid)]);
    }),
  );
});

describe.concurrent('without any source for its clients', () => {
  test(
    'a leftover with a server socket is kept for that reason, one without sockets is ended',
    scene(async (stage) => {
      await withoutSs(stage);
      await withoutKoffi(stage);
      writeSettings(stage, { mode: 'enforce', orphanGraceSeconds: 0 });
      const claude = await FakeClaude.start(stage);
      await claude.bash(leaves(ways[1].serve));
      const server = await serverOf(stage);
      await clientOf(stage, ways[1].connect);
      await stage.until('it is connected', () => stage.has('/tmp/taken'));
      const silent = await claude.bash('sleep 7777');
      await claude.crash();
      const innocents = [bystander(stage, 'the server', server.pid)];
      await reapOrphans(stage);
      expectUntouched(stage, innocents);
      expectGone(stage, [silent.shell]);
      const { verdict } = jobWith(await scan(stage), server.pid);
      expect(verdict.state).toBe('kept');
      expect(verdict.reasons.map(({ text }) => text)).toContain(
        'it is unknown whether a client is connected to it (/tmp/db.sock)',
      );
    }),
  );

  test(
    'ss reports them, anywhere on the path',
    scene(async (stage) => {
      await withoutKoffi(stage);
      await inScene(stage, 'cp /usr/bin/ss /tmp/scene/own-ss');
      await withoutSs(stage);
      stage.folder('/tmp/scene/path');
      await inScene(stage, 'mv /tmp/scene/own-ss /tmp/scene/path/ss');
      await expectClientSpares(stage, ways[1]);
    }),
  );
});

describe.concurrent('a leftover whose only clients are leftovers', () => {
  for (const { what, serve, connect } of ways.slice(0, 3))
    test(
      `is ended with them on a machine without ss: ${what}`,
      scene(async (stage) => {
        await withoutSs(stage);
        const claude = await FakeClaude.start(stage);
        await claude.bash(leaves(serve));
        await claude.bash(leaves(`until ($c = ${connect}) { select undef, undef, undef, 0.05 } sleep 3600`));
        await stage.until('it is connected', () => stage.has('/tmp/taken'));
        const both = stage.table().filter(({ argv }) => argv[0] === 'perl' && argv[1] === '-MIO::Socket');
        expect(both).toHaveLength(2);
        const identities = both.map(({ pid }) => stage.identity(pid));
        await claude.crash();
        await reapOrphans(stage);
        expectGone(stage, identities);
      }),
    );

  test(
    'is ended despite sockets without possible traffic: of the kernel, closed, unconnected, its own pair',
    scene(async (stage) => {
      await withoutSs(stage);
      const claude = await FakeClaude.start(stage);
      const sockets = [
        'socket($n, 16, SOCK_RAW, 0)',
        'socket($u, AF_UNIX, SOCK_STREAM, 0)',
        'socket($t, AF_INET, SOCK_STREAM, 0)',
        'socket($d, AF_INET, SOCK_DGRAM, 0)',
        'socketpair($a, $b, AF_UNIX, SOCK_STREAM, 0)',
        'socketpair($e, $f, AF_UNIX, SOCK_STREAM, 0)',
        'close $f',
      ];
      await claude.bash(leaves(`${sockets.join('; ')}; open F, ">/tmp/taken"; close F; sleep 3600`));
      await stage.until('they are open', () => stage.has('/tmp/taken'));
      const left = await stage.find('it', ({ argv }) => argv[0] === 'perl' && argv[1] === '-MIO::Socket');
      const identity = stage.identity(left.pid);
      await claude.crash();
      await reapOrphans(stage);
      expectGone(stage, [identity]);
    }),
  );
});
