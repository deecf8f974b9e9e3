import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reapOrphans, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { expectSpared } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { writeSettings } from '../scene/watching.ts';
import { leaves } from './sockets-unseen.ts';

const engineLocks = '/dev/shm/libpod_lock_4711';
afterAll(() => rmSync(engineLocks, { force: true }));

/** A program of the user, written in perl. */
const ofUser = (stage: Scene, program: string, { apart = false } = {}) =>
  stage.top.begin({
    file: apart ? '/usr/bin/unshare' : '/usr/bin/perl',
    // In a mount namespace of its own what it has open may not be looked at: see `mayHoldFile`.
    argv: [...(apart ? ['unshare', '--mount'] : []), 'perl', '-MIO::Socket', '-e', program],
    env: stage.userEnvironment(),
    setsid: true,
  });

const leftoverOf = (stage: Scene, word: string) =>
  stage.find('the leftover', ({ argv }) => argv[0] === 'perl' && argv.at(-1)?.includes(word) === true);

/**
 * Ways to be connected in which the leftover is no server, or in which its clients can't be seen.
 */
const ways = [
  {
    what: 'made by the leftover to a port of the user’s program',
    leftover: 'until ($c = IO::Socket::INET->new("127.0.0.1:5433")) { select undef, undef, undef, 0.05 } sleep 3600',
    user: '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:5433"); $c = $s->accept; open F, ">/tmp/ready"; close F; sleep 3600',
    code: 'outgoing',
  },
  {
    what: 'made by the leftover to a port of IPv6',
    leftover:
      'use IO::Socket::IP; until ($c = IO::Socket::IP->new("[::1]:5433")) { select undef, undef, undef, 0.05 } sleep 3600',
    user: 'use IO::Socket::IP; $s = IO::Socket::IP->new(Listen => 5, LocalAddr => "[::1]:5433"); $c = $s->accept; open F, ">/tmp/ready"; close F; sleep 3600',
    code: 'outgoing',
  },
  {
    what: 'made by the leftover to a socket with a path',
    leftover: 'until ($c = IO::Socket::UNIX->new("/tmp/user.sock")) { select undef, undef, undef, 0.05 } sleep 3600',
    user: '$s = IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/user.sock"); $c = $s->accept; open F, ">/tmp/ready"; close F; sleep 3600',
    code: 'outgoing',
  },
  {
    what: 'a bound UDP port to which any program may send',
    leftover:
      '$s = IO::Socket::INET->new(Proto => "udp", LocalAddr => "127.0.0.1:5434"); open F, ">/tmp/ready"; close F; sleep 3600',
    user: 'sleep 3600',
    code: 'unknown',
  },
  {
    what: 'a bound socket with a path that takes datagrams',
    leftover:
      '$s = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => "/tmp/log.sock"); open F, ">/tmp/ready"; close F; sleep 3600',
    user: 'sleep 3600',
    code: 'unknown',
  },
  {
    what: 'a named pipe',
    leftover:
      'use POSIX; mkfifo("/tmp/orders", 0600); open $in, "+<", "/tmp/orders"; open F, ">/tmp/made"; close F; while (<$in>) { }',
    user: 'select undef, undef, undef, 0.05 until -e "/tmp/made"; open $out, ">", "/tmp/orders"; open F, ">/tmp/ready"; close F; sleep 3600',
    code: 'pipe',
  },
  {
    what: 'a terminal that the leftover opened for itself',
    leftover:
      'require "sys/ioctl.ph" if 0; open $m, "+<", "/dev/ptmx"; $z = pack "i", 0; ioctl $m, 0x40045431, $z; $n = pack "I", 0; ioctl $m, 0x80045430, $n; $n = unpack "I", $n; open F, ">/tmp/pts"; print F $n; close F; sleep 3600',
    user: 'select undef, undef, undef, 0.05 until -s "/tmp/pts"; open P, "/tmp/pts"; $n = <P>; open $t, "+<", "/dev/pts/$n" or die; open F, ">/tmp/ready"; close F; sleep 3600',
    code: 'terminal',
  },
  {
    what: 'a named pipe, opened in a mount namespace of its own',
    apart: true,
    leftover:
      'use POSIX; mkfifo("/tmp/orders", 0600); open $in, "+<", "/tmp/orders"; open F, ">/tmp/made"; close F; while (<$in>) { }',
    user: 'select undef, undef, undef, 0.05 until -e "/tmp/made"; open $out, ">", "/tmp/orders"; open F, ">/tmp/ready"; close F; sleep 3600',
    code: 'unknown',
  },
  {
    what: 'a terminal, opened in a mount namespace of its own',
    apart: true,
    leftover:
      'require "sys/ioctl.ph" if 0; open $m, "+<", "/dev/ptmx"; $z = pack "i", 0; ioctl $m, 0x40045431, $z; $n = pack "I", 0; ioctl $m, 0x80045430, $n; $n = unpack "I", $n; open F, ">/tmp/pts"; print F $n; close F; sleep 3600',
    user: 'select undef, undef, undef, 0.05 until -s "/tmp/pts"; open P, "/tmp/pts"; $n = <P>; open $t, "+<", "/dev/pts/$n" or die; open F, ">/tmp/ready"; close F; sleep 3600',
    code: 'unknown',
  },
] as const;

describe.concurrent('a leftover that is connected to a program of the user', () => {
  for (const { what, leftover, user, code, ...more } of ways)
    test(
      `is kept for that reason: ${what}`,
      scene(async (stage) => {
        writeSettings(stage, { mode: 'enforce', orphanGraceSeconds: 0 });
        const claude = await FakeClaude.start(stage);
        const other = await ofUser(stage, user, more);
        await claude.bash(leaves(leftover));
        await stage.until('it is connected', () => stage.has('/tmp/ready'));
        const left = await leftoverOf(stage, leftover);
        await claude.crash();
        await expectSpared(stage, [
          bystander(stage, 'the leftover', left.pid),
          bystander(stage, 'the user’s', other.pid),
        ]);
        const { verdict, owner } = jobWith(await scan(stage), left.pid);
        expect(owner).toBe('gone');
        expect(verdict.state).toBe('kept');
        expect(verdict.reasons.map((one) => one.code)).toContain('in-use');
        expect(verdict.reasons.find((one) => one.code === 'in-use')?.figures?.['by']).toBe(code);
      }),
    );

  for (const [what, file] of [
    ['a file', '/tmp/shared'],
    ['a file called as an engine’s locks', engineLocks],
  ] as const)
    test(
      `is kept for that reason: memory shared through ${what}`,
      scene(async (stage) => {
        const program = `import mmap,os,time
f=open("${file}","a+b")
f.truncate(4096)
m=mmap.mmap(f.fileno(),4096)
f.close()
open("/tmp/mapped-%d"%os.getpid(),"w").close()
time.sleep(3600)`;
        writeSettings(stage, { mode: 'enforce', orphanGraceSeconds: 0 });
        const claude = await FakeClaude.start(stage);
        await claude.bash(`python3 -c '${program}'`);
        const left = await stage.find('the leftover', ({ argv }) => argv[0] === 'python3');
        const other = await stage.top.begin({
          file: '/usr/bin/python3',
          argv: ['python3', '-c', program],
          env: stage.userEnvironment(),
          setsid: true,
        });
        await stage.until('both have it', () => [left.pid, other.pid].every((pid) => stage.has(`/tmp/mapped-${pid}`)));
        await claude.crash();
        await expectSpared(stage, [
          bystander(stage, 'the leftover', left.pid),
          bystander(stage, 'the user’s', other.pid),
        ]);
        const { verdict } = jobWith(await scan(stage), left.pid);
        expect(verdict.reasons.find((one) => one.code === 'in-use')?.figures?.['by']).toBe('memory');
      }),
    );
});

describe.concurrent('a leftover whose client is another leftover', () => {
  const serve =
    '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:5433"); while (1) { push @c, $s->accept; open F, ">/tmp/taken"; close F }';
  const connect =
    'until ($s = IO::Socket::INET->new("127.0.0.1:5433")) { select undef, undef, undef, 0.05 } sleep 3600';

  test(
    'is kept while that one is itself kept: it carries CURFEW_KEEP=1',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.bash(leaves(serve));
      await claude.bash(`export CURFEW_KEEP=1; ${leaves(connect)}`);
      await stage.until('it is connected', () => stage.has('/tmp/taken'));
      const both = stage.table().filter(({ argv }) => argv[0] === 'perl' && argv[1] === '-MIO::Socket');
      expect(both).toHaveLength(2);
      await claude.crash();
      await expectSpared(
        stage,
        both.map(({ pid }) => bystander(stage, 'server and client', pid)),
      );
    }),
  );

  test(
    'is kept while that one is exempt, and ended with it afterwards',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.bash(leaves(serve));
      await claude.bash(leaves(connect));
      await stage.until('it is connected', () => stage.has('/tmp/taken'));
      const both = stage.table().filter(({ argv }) => argv[0] === 'perl' && argv[1] === '-MIO::Socket');
      writeSettings(stage, { mode: 'enforce', exemptions: [{ command: '*until*' }] });
      const innocents = both.map(({ pid }) => bystander(stage, 'server and client', pid));
      await claude.crash();
      await reapOrphans(stage);
      expectUntouched(stage, innocents);
      writeSettings(stage, { mode: 'enforce' });
      await reapOrphans(stage);
      expectGone(
        stage,
        innocents.map(({ identity }) => identity),
      );
    }),
  );
});
