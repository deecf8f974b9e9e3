import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { startCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { withoutKoffi, withoutSs } from './sockets-unseen.ts';

const settings = {
  mode: 'enforce',
  scanIntervalSeconds: 1,
  noticeSeconds: 0,
  backgroundMaxElapsedSeconds: 20,
  backgroundKillGraceSeconds: 2,
  atMaxElapsed: 'reap-silent',
};

/**
 * Sends an event every second to each client, in three ways. recv(2) and send(2) change no figure
 * of /proc/PID/io.
 */
const events = `
$t = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:7001");
$l = IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/events");
$u = IO::Socket::INET->new(Proto => "udp", LocalAddr => "127.0.0.1:7002");
open F, ">/tmp/sends"; close F;
$c = $t->accept; $p = $l->accept; $u->recv($d, 9);
while (1) { $c->send("x"); $p->send("x"); $u->send("x"); sleep 1 }`;

const ways = [
  { what: 'TCP', open: 'IO::Socket::INET->new("127.0.0.1:7001")' },
  { what: 'a local socket', open: 'IO::Socket::UNIX->new("/tmp/events")' },
  { what: 'UDP', open: 'IO::Socket::INET->new(Proto => "udp", PeerAddr => "127.0.0.1:7002")' },
] as const;

const listens = (open: string): string =>
  `perl -MIO::Socket -e '$s = ${open}; $s->send("x") if $s->socktype == SOCK_DGRAM; while (1) { $s->recv($d, 9); }'`;

/** @param figures false: the far end of its own socket pair can't be learned and counts as use */
const expectEventsSpare = async (stage: Scene, figures: boolean): Promise<void> => {
  writeSettings(stage, settings);
  await stage.top.start({
    file: '/usr/bin/perl',
    argv: ['perl', '-MIO::Socket', '-e', events],
    env: stage.userEnvironment(),
    setsid: true,
  });
  await stage.until('it sends', () => stage.has('/tmp/sends'));
  const claude = await FakeClaude.start(stage);
  const listening = [];
  for (const { open } of ways) listening.push(await claude.bash(listens(open)));
  const silent = await claude.bash('sleep 7777');
  // One waits at its own socket pair; a timer wakes the other while its only connection is silent.
  const paired = await claude.bash(
    `perl -MSocket -e 'socketpair($a, $b, AF_UNIX, SOCK_STREAM, 0); sysread $a, $d, 1; sleep 1'`,
  );
  const innocents = [
    ...listening.map(({ shell }) => bystander(stage, 'what gets an event every second', shell.pid)),
    ...(figures ? [] : [bystander(stage, 'what has a connection of which the other end is unknown', paired.shell.pid)]),
  ];
  const watch = await startCurfew(stage, ['watch', '--json']);
  const ended = figures ? [silent.shell, paired.shell] : [silent.shell];
  await stage.until('the silent ones are ended', () => ended.every((one) => !stage.lives(one)), 120);
  await afterLooks(stage, watch, 20);
  expectGone(stage, ended);
  expectUntouched(stage, innocents);
  await watch.signal('TERM');
  expect(await watch.ended()).toMatchObject({ code: 0 });
};

describe.concurrent('at max elapsed, a job of an open session', () => {
  test(
    'with an event every second over a socket is not idle; one without traffic is',
    scene(async (stage) => {
      await expectEventsSpare(stage, true);
    }),
  );

  test(
    'the same without figures of connections',
    scene(async (stage) => {
      await withoutSs(stage);
      await withoutKoffi(stage);
      await expectEventsSpare(stage, false);
    }),
  );

  test(
    'that only a timer wakes, while its connection is silent, is not idle',
    scene(async (stage) => {
      writeSettings(stage, settings);
      await stage.top.start({
        file: '/usr/bin/perl',
        argv: [
          'perl',
          '-MIO::Socket',
          '-e',
          '$t = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:7001"); open F, ">/tmp/sends"; $c = $t->accept; sleep 3600',
        ],
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.until('it listens', () => stage.has('/tmp/sends'));
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash(
        `perl -MIO::Socket -e '$s = IO::Socket::INET->new("127.0.0.1:7001"); while (1) { sleep 1 }'`,
      );
      const idle = await claude.bash('sleep 7777');
      const innocents = [bystander(stage, 'what a timer wakes', call.shell.pid)];
      const watch = await startCurfew(stage, ['watch', '--json']);
      await stage.until('the idle one is ended', () => !stage.lives(idle.shell), 150);
      await afterLooks(stage, watch, 15);
      expectUntouched(stage, innocents);
      await watch.signal('TERM');
      await watch.ended();
    }),
  );
});
