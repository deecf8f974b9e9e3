import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { far, missing, skipped } from './far-machine.ts';

const settings = {
  schemaVersion: 1,
  mode: 'enforce',
  hosts: ['web1'],
  scanIntervalSeconds: 1,
  noticeSeconds: 0,
  backgroundMaxElapsedSeconds: 20,
  backgroundKillGraceSeconds: 2,
  atMaxElapsed: 'reap-silent',
};

/** Sends an event every second to each of its two clients. */
const events = `
$t = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:7001");
$l = IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/events");
open F, ">/tmp/sends"; close F;
$c = $t->accept; $p = $l->accept;
while (1) { $c->send("x"); $p->send("x"); sleep 1 }`;

const listens = (open: string): string => `perl -MIO::Socket -e '$s = ${open}; while (1) { $s->recv($d, 9); }'`;

describe.skipIf(missing !== null)(`at max elapsed, jobs of an open session on another machine ${skipped}`, () => {
  test(
    'with an event every second over a socket are not idle; one without traffic is',
    far(async (machine) => {
      const { stage } = machine;
      mkdirSync(join(machine.home, 'curfew'), { recursive: true, mode: 0o700 });
      writeFileSync(join(machine.home, 'curfew/settings.json'), JSON.stringify(settings), { mode: 0o600 });
      await stage.top.start({
        file: '/usr/bin/perl',
        argv: ['perl', '-MIO::Socket', '-e', events],
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.until('it sends', () => stage.has('/tmp/sends'));
      const claude = await FakeClaude.start(stage);
      const hears = [
        await claude.bash(listens('IO::Socket::INET->new("127.0.0.1:7001")')),
        await claude.bash(listens('IO::Socket::UNIX->new("/tmp/events")')),
      ];
      const silent = await claude.bash('sleep 7777');
      const innocents = hears.map(({ shell }) => bystander(stage, 'what gets an event every second', shell.pid));
      const watch = machine.start(['watch', '--json']);
      await stage.until('the silent one is ended', () => !stage.lives(silent.shell), 240);
      const looked = (): number => watch.stdout().split('"host":"web1"').length;
      const before = looked();
      await stage.until('it looked some more times', () => looked() >= before + 4, 120);
      expectGone(stage, [silent.shell]);
      expectUntouched(stage, innocents);
      watch.end();
      await watch.ended;
    }),
  );
});
