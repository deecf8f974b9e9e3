import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reapOrphans, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { expectSpared } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { leaves, withoutKoffi, withoutSs } from './sockets-unseen.ts';

/** Displays with their places on different machines, and how a program opens its window there. */
const displays = [
  { what: 'X', name: 'Xorg', address: 'Local => "/tmp/.X11-unix/X7"', at: 'Peer => "/tmp/.X11-unix/X7"', kind: 'UNIX' },
  {
    what: 'X at an abstract name',
    name: 'Xorg',
    address: 'Local => "\\0/tmp/.X11-unix/X7"',
    at: 'Peer => "\\0/tmp/.X11-unix/X7"',
    kind: 'UNIX',
  },
  {
    what: 'ssh -X',
    name: 'sshd',
    address: 'LocalAddr => "127.0.0.1:6010"',
    at: 'PeerAddr => "127.0.0.1:6010"',
    kind: 'INET',
  },
  {
    what: 'Wayland of WSLg',
    name: 'weston',
    address: 'Local => "/tmp/wslg/runtime-dir/wayland-0"',
    at: 'Peer => "/tmp/wslg/runtime-dir/wayland-0"',
    kind: 'UNIX',
  },
  {
    what: 'Wayland by a path of its own',
    name: 'sway',
    address: 'Local => "/tmp/elsewhere/screen"',
    at: 'Peer => "/tmp/elsewhere/screen"',
    kind: 'UNIX',
  },
] as const;

/** A display that only accepts its clients. */
const serve = (kind: string, address: string): string =>
  `$s = IO::Socket::${kind}->new(Listen => 5, ${address}); open F, ">/tmp/display"; close F; while (1) { push @c, $s->accept; open F, ">/tmp/window"; close F }`;

const opens = (kind: string, at: string): string =>
  `until ($c = IO::Socket::${kind}->new(${at})) { select undef, undef, undef, 0.05 } sleep 3600`;

const windowOf = (stage: Scene) =>
  stage.find('the window', ({ argv }) => argv[0] === 'perl' && argv.at(-1)?.startsWith('until') === true);

const startDisplay = async (stage: Scene, { name, kind, address }: (typeof displays)[number]): Promise<void> => {
  for (const folder of ['/tmp/.X11-unix', '/tmp/wslg/runtime-dir', '/tmp/elsewhere']) stage.folder(folder);
  await stage.top.start({
    file: stage.program(name),
    argv: [name, '-MIO::Socket', '-e', serve(kind, address)],
    env: stage.userEnvironment(),
    setsid: true,
  });
  await stage.until('the display is there', () => stage.has('/tmp/display'));
};

const openWindow = async (stage: Scene, display: (typeof displays)[number]): Promise<FakeClaude> => {
  await startDisplay(stage, display);
  const claude = await FakeClaude.start(stage);
  await claude.bash(leaves(opens(display.kind, display.at)));
  await stage.until('it has a window', () => stage.has('/tmp/window'));
  return claude;
};

describe.concurrent('a leftover with a window on the user’s display', () => {
  for (const display of displays)
    test(
      `is never ended, even by name, and the reason is given: ${display.what}`,
      scene(async (stage) => {
        await withoutSs(stage);
        const claude = await openWindow(stage, display);
        await claude.crash();
        const window = await windowOf(stage);
        const innocents = [bystander(stage, 'the window', window.pid)];
        await expectSpared(stage, innocents);
        const job = jobWith(await scan(stage, ['--all']), window.pid);
        expect(job.vetoes.map(({ code }) => code)).toEqual(['window']);
        expect(job.verdict.state).toBe('protected');
        await runCurfew(stage, ['reap', '--job', job.id, '--grace', '0s']);
        expectUntouched(stage, innocents);
      }),
    );

  test(
    'is spared if neither the kernel nor ss reports the clients of the display',
    scene(async (stage) => {
      await withoutSs(stage);
      await withoutKoffi(stage);
      const claude = await openWindow(stage, displays[0]);
      await claude.crash();
      const window = await windowOf(stage);
      await expectSpared(stage, [bystander(stage, 'the window', window.pid)]);
      expect(jobWith(await scan(stage, ['--all']), window.pid).vetoes.map(({ code }) => code)).toEqual(['window']);
    }),
  );

  test(
    'stays beyond the hard cap, with its session open or closed, while everything else goes',
    scene(async (stage) => {
      writeSettings(stage, {
        mode: 'enforce',
        scanIntervalSeconds: 1,
        noticeSeconds: 0,
        backgroundMaxElapsedSeconds: 30,
        backgroundMaxElapsedSecondsHardCap: 60,
        orphanGraceSeconds: 3600,
        backgroundKillGraceSeconds: 2,
        atMaxElapsed: 'notify',
      });
      const claude = await openWindow(stage, displays[0]);
      const gone = await FakeClaude.start(stage, { project: `${stage.home}/gone` });
      await gone.bash(leaves(opens(displays[0].kind, displays[0].at).replace('3600', '3601')));
      const other = await claude.bash('sleep 7777');
      const windows = await stage.until('both', () => {
        const found = stage
          .table()
          .filter(({ argv }) => argv[0] === 'perl' && argv.at(-1)?.startsWith('until') === true);
        return found.length === 2 ? found : null;
      });
      await gone.crash();
      const innocents = windows.map(({ pid }) => bystander(stage, 'a window', pid));
      const watch = await startCurfew(stage, ['watch', '--json']);
      await stage.until('the hard cap came', () => !stage.lives(other.shell), 120);
      await afterLooks(stage, watch, 3);
      expectUntouched(stage, innocents);
      await watch.signal('TERM');
      await watch.ended();
    }),
  );
});

describe.concurrent('a leftover with a window on no display of the user', () => {
  test(
    'is ended with its own display: xvfb-run',
    scene(async (stage) => {
      await withoutSs(stage);
      stage.folder('/tmp/.X11-unix');
      const claude = await FakeClaude.start(stage);
      const [{ kind, address, at }] = displays;
      await claude.bash(
        `perl -MIO::Socket -e '${serve(kind, address)}' & perl -MIO::Socket -e '${opens(kind, at)}'; true`,
      );
      await stage.until('it has a window', () => stage.has('/tmp/window'));
      const window = await windowOf(stage);
      const identity = stage.identity(window.pid);
      await claude.crash();
      await reapOrphans(stage);
      expectGone(stage, [identity]);
    }),
  );

  test(
    'is ended if the display is another leftover',
    scene(async (stage) => {
      stage.folder('/tmp/.X11-unix');
      const claude = await FakeClaude.start(stage);
      const [{ kind, address, at }] = displays;
      await claude.bash(leaves(serve(kind, address)));
      await claude.bash(leaves(opens(kind, at)));
      await stage.until('it has a window', () => stage.has('/tmp/window'));
      const both = stage.table().filter(({ argv }) => argv[0] === 'perl' && argv[1] === '-MIO::Socket');
      expect(both).toHaveLength(2);
      const identities = both.map(({ pid }) => stage.identity(pid));
      await claude.crash();
      await reapOrphans(stage);
      expectGone(stage, identities);
    }),
  );

  test(
    'has no veto if its connection leads to a server other than a display, even while a display has clients',
    scene(async (stage) => {
      await withoutSs(stage);
      await startDisplay(stage, displays[0]);
      await stage.top.start({
        file: '/usr/bin/perl',
        argv: ['perl', '-MIO::Socket', '-e', `$c = IO::Socket::UNIX->new(${displays[0].at}); sleep 3600`],
        env: stage.userEnvironment(),
        setsid: true,
      });
      await stage.top.start({
        file: '/usr/bin/perl',
        argv: ['perl', '-MIO::Socket', '-e', serve('UNIX', 'Local => "/tmp/bus"').replace('window', 'taken')],
        env: stage.userEnvironment(),
        setsid: true,
      });
      const claude = await FakeClaude.start(stage);
      await claude.bash(leaves(opens('UNIX', 'Peer => "/tmp/bus"')));
      await stage.until('it is connected', () => stage.has('/tmp/taken') && stage.has('/tmp/window'));
      const window = await windowOf(stage);
      await claude.crash();
      // What it is connected to keeps it, as any connection does.
      await expectSpared(stage, [bystander(stage, 'the leftover', window.pid)]);
      expect(jobWith(await scan(stage), window.pid).vetoes).toEqual([]);
    }),
  );
});
