import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reapOrphans, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { expectSpared } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { leaves, ownDevices } from './sockets-unseen.ts';

const listening = (path: string): string =>
  `$s = IO::Socket::UNIX->new(Listen => 5, Local => "${path}") or die; open F, ">/tmp/ready"; close F; sleep 3600`;

/** What a program holds that can't be had back once it is ended, whatever its name. */
const holdings = [
  {
    what: 'a virtual machine',
    make: 'mknod -m 666 /dev/kvm c 1 3',
    program: 'open K, "+<", "/dev/kvm" or die; open F, ">/tmp/ready"; close F; sleep 3600',
    provides: 'machine',
  },
  {
    what: 'input devices',
    make: 'mknod -m 666 /dev/uinput c 1 3',
    program: 'open K, "+<", "/dev/uinput" or die; open F, ">/tmp/ready"; close F; sleep 3600',
    provides: 'input',
  },
  {
    what: 'keys, at a socket in the form of SSH_AUTH_SOCK',
    make: 'mkdir -p -m 777 /tmp/ssh-XXAbcd',
    program: listening('/tmp/ssh-XXAbcd/agent.77'),
    provides: 'secrets',
  },
  {
    what: 'a service at a socket in a hidden folder of the home',
    make: 'mkdir -p -m 777 /tmp/home/.cache/langserver',
    program: listening('/tmp/home/.cache/langserver/main.sock'),
    provides: 'service',
  },
] as const;

const leftoverOf = (stage: Scene) =>
  stage.find('the leftover', ({ argv }) => argv[0] === 'perl' && argv[1] === '-MIO::Socket');

describe.concurrent('a leftover that provides what would be gone with it', () => {
  for (const { what, make, program, provides } of holdings)
    test(
      `is never ended, and the reason is given: ${what}`,
      scene(async (stage) => {
        await ownDevices(stage, make);
        const claude = await FakeClaude.start(stage);
        await claude.bash(leaves(program));
        await stage.until('it holds it', () => stage.has('/tmp/ready'));
        const left = await leftoverOf(stage);
        await claude.crash();
        const innocents = [bystander(stage, 'the leftover', left.pid)];
        await expectSpared(stage, innocents);
        const job = jobWith(await scan(stage, ['--all']), left.pid);
        expect(job.vetoes.map(({ code, figures }) => [code, figures?.['provides']])).toContainEqual([
          'shared-daemon',
          provides,
        ]);
        await runCurfew(stage, ['reap', '--job', job.id, '--grace', '0s']);
        expectUntouched(stage, innocents);
      }),
    );

  test(
    'is never ended: a notebook server with a kernel',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const kernel = 'perl -e "open F, q(>/tmp/ready); close F; sleep 3600" -- -f /tmp/jupyter/kernel-1f2e.json';
      await claude.bash(leaves(`system qq(${kernel.replaceAll('"', '\\"')})`));
      await stage.until('the kernel runs', () => stage.has('/tmp/ready'));
      const left = await leftoverOf(stage);
      await claude.crash();
      await expectSpared(stage, [bystander(stage, 'the server', left.pid)]);
    }),
  );
});

describe.concurrent('a display that a viewer could reach', () => {
  const displays = [
    { what: 'by its name', name: 'Xtigervnc', port: '' },
    {
      what: 'whatever its name, because it listens for viewers',
      name: 'Xcontained',
      port: 'IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:5907"), ',
    },
  ];
  for (const { what, name, port } of displays)
    test(
      `is the user’s, also while the viewer is closed: neither it nor what it shows is ended (${what})`,
      scene(async (stage) => {
        stage.folder('/tmp/.X11-unix');
        const claude = await FakeClaude.start(stage);
        const serves = 'IO::Socket::UNIX->new(Listen => 5, Local => "/tmp/.X11-unix/X7")';
        const shows = `@k = (${port}1); $s = ${serves}; open F, ">/tmp/display"; close F; while (1) { push @c, $s->accept; open F, ">/tmp/window" }`;
        const opens =
          'until ($c = IO::Socket::UNIX->new(Peer => "/tmp/.X11-unix/X7")) { select undef, undef, undef, 0.05 } sleep 3600';
        await claude.bash(`${stage.program(name)} -MIO::Socket -e '${shows}' & perl -MIO::Socket -e '${opens}'; true`);
        await stage.until('it has a window', () => stage.has('/tmp/window'));
        const window = await leftoverOf(stage);
        const innocents = [bystander(stage, 'the window', window.pid)];
        await claude.crash();
        await expectSpared(stage, innocents);
        const job = jobWith(await scan(stage, ['--all']), window.pid);
        expect(job.vetoes.map(({ code }) => code)).toContain('window');
      }),
    );
});

describe.concurrent('at max elapsed, a job of an open session', () => {
  const settings = {
    mode: 'enforce',
    scanIntervalSeconds: 1,
    noticeSeconds: 0,
    backgroundMaxElapsedSeconds: 20,
    backgroundKillGraceSeconds: 2,
    atMaxElapsed: 'reap-silent',
  };
  const quiet = [
    {
      what: 'writes a mapped file now and then',
      command: `python3 -c 'import mmap,time
f=open("/tmp/mapped","w+b"); f.truncate(4096); m=mmap.mmap(f.fileno(),4096)
while True: m[0]=(m[0]+1)%256; time.sleep(0.5)'`,
    },
    { what: 'waits for a container', command: 'docker' },
  ];

  for (const { what, command } of quiet)
    test(
      `is not idle while it ${what}`,
      scene(async (stage) => {
        writeSettings(stage, settings);
        const claude = await FakeClaude.start(stage);
        const run = command === 'docker' ? `${stage.program('docker')} -e 'sleep 3600'` : command;
        const busy = await claude.bash(run);
        const idle = await claude.bash('sleep 7777');
        const innocents = [bystander(stage, 'what works', busy.shell.pid)];
        const watch = await startCurfew(stage, ['watch', '--json']);
        await stage.until('the idle one is ended', () => !stage.lives(idle.shell), 150);
        await afterLooks(stage, watch, 15);
        expectUntouched(stage, innocents);
        expectGone(stage, [idle.shell]);
        await watch.signal('TERM');
        await watch.ended();
      }),
    );
});

test(
  'a leftover without any of this is ended',
  scene(async (stage) => {
    const claude = await FakeClaude.start(stage);
    await claude.bash(leaves('open F, ">/tmp/ready"; close F; sleep 3600'));
    await stage.until('it runs', () => stage.has('/tmp/ready'));
    const left = stage.identity((await leftoverOf(stage)).pid);
    await claude.crash();
    await reapOrphans(stage);
    expectGone(stage, [left]);
  }),
);
