import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, oneDocument } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Scene } from '../scene/scene.ts';
import { reapDocument, scanDocument, type ScannedJob } from '../scene/schemas.ts';
import { leaves, withoutSs } from '../spared/sockets-unseen.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';

const scanned = scanDocument.extend({ host: z.literal('web1') });

const jobOf = async (machine: FarMachine, pid: number): Promise<ScannedJob> =>
  jobWith(
    scanned.parse(oneDocument(await machine.run(['scan', '--json', '--explain', '--all', '--host', 'web1']))),
    pid,
  );

const reap = async (machine: FarMachine): Promise<void> => {
  const args = ['reap', '--json', '--host', 'web1', '--max-age', '0s', '--grace', '2s'];
  reapDocument.extend({ host: z.literal('web1') }).parse(oneDocument(await machine.run(args)));
};

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
] as const;
/** It never accepts: a client waits for that, and no table tells which it is. */
const slow = {
  serve: '$s = IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/slow.sock"); open F, ">/tmp/taken"; sleep 3600',
  connect: 'IO::Socket::UNIX->new("/tmp/slow.sock")',
};
const display = {
  what: 'a display',
  serve:
    '$s = IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/.X11-unix/X7"); while (1) { push @c, $s->accept; open F, ">/tmp/taken" }',
  connect: 'IO::Socket::UNIX->new("/tmp/.X11-unix/X7")',
};

const connects = (connect: string): string =>
  `until ($c = ${connect}) { select undef, undef, undef, 0.05 } open F, ">/tmp/connected"; close F; sleep 3600`;

const begin = (stage: Scene, program: string) =>
  stage.top.begin({
    file: '/usr/bin/perl',
    argv: ['perl', '-MIO::Socket', '-e', program],
    env: stage.userEnvironment(),
    setsid: true,
  });

const find = (stage: Scene, program: string) => stage.find(program, ({ argv }) => argv.at(-1) === program);

const isConnected = (stage: Scene) =>
  stage.until('it is connected', () => stage.has('/tmp/taken') && stage.has('/tmp/connected'));

describe.skipIf(missing !== null)(`clients of leftovers on another machine ${skipped}`, () => {
  for (const shell of ['dash', 'busybox'] as const)
    for (const { what, serve, connect } of ways)
      test(
        `${shell}: ${what}: it is spared while a program is connected to it, and no longer`,
        far(
          async (machine) => {
            const { stage } = machine;
            const claude = await FakeClaude.start(stage);
            await claude.bash(leaves(serve));
            const server = await find(stage, serve);
            const client = await begin(stage, connects(connect));
            await isConnected(stage);
            const alone = await claude.bash('sleep 7777');
            await claude.crash();
            const innocents = [bystander(stage, 'the server', server.pid), bystander(stage, 'the client', client.pid)];
            await reap(machine);
            expectUntouched(stage, innocents);
            expectGone(stage, [alone.shell]);
            await stage.first.signal(client.pid, 'KILL');
            await stage.until('the client is gone', () => !stage.lives(client));
            await reap(machine);
            expect(stage.lives(innocents[0]?.identity ?? client)).toBe(false);
          },
          { shell },
        ),
      );

  test(
    'without ss: leftovers with possible clients are spared; one with only a port and no client is ended, and so is one without sockets',
    far(async (machine) => {
      const { stage } = machine;
      await withoutSs(stage);
      const claude = await FakeClaude.start(stage);
      const [port, path] = ways;
      await claude.bash(leaves(port.serve));
      await claude.bash(leaves(path.serve));
      const [unused, server] = [await find(stage, port.serve), await find(stage, path.serve)];
      await begin(stage, connects(path.connect));
      await isConnected(stage);
      const alone = await claude.bash('sleep 7777');
      await claude.crash();
      const left = stage.identity(unused.pid);
      const innocents = [bystander(stage, 'the server', server.pid)];
      await reap(machine);
      expectUntouched(stage, innocents);
      expectGone(stage, [alone.shell, left]);
    }),
  );

  for (const ss of ['with', 'without'] as const)
    test(
      `${ss} ss: a leftover with a client that it has not accepted yet is spared`,
      far(async (machine) => {
        const { stage } = machine;
        if (ss === 'without') await withoutSs(stage);
        const claude = await FakeClaude.start(stage);
        await claude.bash(leaves(slow.serve));
        const server = await find(stage, slow.serve);
        const client = await begin(stage, connects(slow.connect));
        await isConnected(stage);
        const alone = await claude.bash('sleep 7777');
        await claude.crash();
        const innocents = [bystander(stage, 'the server', server.pid), bystander(stage, 'the client', client.pid)];
        await reap(machine);
        expectUntouched(stage, innocents);
        expectGone(stage, [alone.shell]);
      }),
    );

  for (const ss of ['with', 'without'] as const)
    test(
      `${ss} ss: a job with a window on a display is never ended`,
      far(async (machine) => {
        const { stage } = machine;
        if (ss === 'without') await withoutSs(stage);
        stage.folder('/tmp/.X11-unix');
        await begin(stage, display.serve);
        const claude = await FakeClaude.start(stage);
        const program = connects(display.connect);
        await claude.bash(leaves(program));
        const window = await find(stage, program);
        await isConnected(stage);
        await claude.crash();
        const innocents = [bystander(stage, 'the window', window.pid)];
        await reap(machine);
        expectUntouched(stage, innocents);
        expect((await jobOf(machine, window.pid)).vetoes.map(({ code }) => code)).toEqual(['window']);
      }),
    );

  test(
    'in another network namespace its clients are invisible, so it is spared',
    far(async (machine) => {
      const { stage } = machine;
      const claude = await FakeClaude.start(stage);
      const [, { serve, connect }] = ways;
      const program = serve.replace('/tmp/db.sock', '/tmp/inner.sock');
      await claude.bash(`unshare --net ${leaves(program)}`);
      const server = await find(stage, program);
      await begin(stage, connects(connect.replace('/tmp/db.sock', '/tmp/inner.sock')));
      await isConnected(stage);
      await claude.crash();
      const innocents = [bystander(stage, 'the server', server.pid)];
      await reap(machine);
      expectUntouched(stage, innocents);
    }),
  );
});
