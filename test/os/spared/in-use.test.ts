import { describe, expect, test } from 'vitest';
import { jobWith, reapOrphans, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone } from '../scene/innocents.ts';
import { expectSpared } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';

const ways = [
  {
    what: 'a port',
    listens: 'IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:5433", ReuseAddr => 1)',
    connects: 'IO::Socket::INET->new("127.0.0.1:5433")',
  },
  {
    what: 'a socket with a path',
    listens: 'IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/db.sock")',
    connects: 'IO::Socket::UNIX->new("/tmp/db.sock")',
  },
] as const;

describe.concurrent('a leftover with a client', () => {
  for (const { what, listens, connects } of ways) {
    test(
      `a server at ${what} stays while a program of the user is connected to it, and no longer`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage);
        const serve = `$s = ${listens}; while (1) { push @c, $s->accept; open F, ">/tmp/taken"; close F }`;
        await claude.bash(`perl -MIO::Socket -e '$| = 1; ${serve}'`);
        const server = await stage.find(
          'the server',
          ({ argv }) => argv[0] === 'perl' && argv.at(-1)?.includes('accept') === true,
        );
        const connect = `until ($s = ${connects}) { select undef, undef, undef, 0.05 } sleep 3600`;
        const client = await stage.top.begin({
          file: '/usr/bin/perl',
          argv: ['perl', '-MIO::Socket', '-e', connect],
          env: stage.userEnvironment(),
          setsid: true,
        });
        await stage.until('it is connected', () => stage.has('/tmp/taken'));
        await claude.crash();
        const innocents = [bystander(stage, 'the server', server.pid), bystander(stage, 'the client', client.pid)];
        await expectSpared(stage, innocents);
        const spared = jobWith(await scan(stage), server.pid);
        expect(spared.owner).toBe('gone');
        // On request it can still be ended: a connection is not a veto.
        expect(spared.vetoes).toEqual([]);

        await stage.first.signal(client.pid, 'KILL');
        await stage.until('the client is gone', () => !stage.lives(client));
        await reapOrphans(stage);
        expectGone(
          stage,
          innocents.slice(0, 1).map(({ identity }) => identity),
        );
      }),
    );
  }

  test(
    'a server whose client is another leftover: both are ended',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const [{ listens, connects }] = ways;
      const serve = `$s = ${listens}; while (1) { push @c, $s->accept; open F, ">/tmp/taken"; close F }`;
      await claude.bash(`perl -MIO::Socket -e '${serve}'`);
      const connect = `until ($s = ${connects}) { select undef, undef, undef, 0.05 } sleep 3600`;
      await claude.bash(`perl -MIO::Socket -e '${connect}'`);
      await stage.until('it is connected', () => stage.has('/tmp/taken'));
      const both = stage.table().filter(({ argv }) => argv[0] === 'perl' && argv[1] === '-MIO::Socket');
      expect(both).toHaveLength(2);
      const identities = both.map(({ pid }) => stage.identity(pid));
      await claude.crash();
      await reapOrphans(stage);
      expectGone(stage, identities);
    }),
  );
});
