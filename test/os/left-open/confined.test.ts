import { expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { scene } from '../scene/scene.ts';
import { leftOpenIn } from './left-open.ts';

/** A command in a sandbox, as far as every one without root goes: it can gain no rights. */
const sandboxed = (command: string): string => `setsid -f setpriv --no-new-privs ${command}`;

const container = 'ab'.repeat(32);
const monitor = [
  `bash -c "exec -a conmon perl -e 'sleep 4000' -- -c ${container} --exit-command /tmp/work/podman`,
  `--exit-command-arg container --exit-command-arg cleanup --exit-command-arg ${container}"`,
].join(' ');

/** Listens, and puts a script in the place of its socket, which its own program would run. */
const multiplexer = String.raw`use IO::Socket::UNIX;
my $at = "/tmp/work/at";
my $socket = IO::Socket::UNIX->new(Local => $at, Listen => 1) or die;
unlink $at;
open my $file, ">", $at or die;
print $file q(open my $ran, ">>", "/tmp/work/ran"; print $ran "tmux\n";);
close $file;
open my $ready, ">", "/tmp/work/ready" or die;
sleep 4000;
`;

// What else confines it (Landlock) shows nowhere: also to a Curfew that can gain no rights itself.
test.each([
  ['names as the program of its container', monitor, 'conmon', []],
  ['runs as a multiplexer', '/tmp/work/tmux /tmp/work/server', '/tmp/work/tmux', []],
  ['names, and Curfew can gain no rights either,', monitor, 'conmon', ['setpriv', '--no-new-privs']],
] as const)('the program that a sandboxed process %s is not run', (_, command, name, through) =>
  scene(async (stage) => {
    stage.folder('/tmp/work');
    stage.write('/tmp/work/podman', '#!/bin/sh\necho podman >>/tmp/work/ran\n', 0o755);
    stage.write('/tmp/work/server', multiplexer);
    const claude = await FakeClaude.start(stage);
    await claude.foreground('cp /usr/bin/perl /tmp/work/tmux');
    await claude.foreground(sandboxed(command));
    await stage.find('the process', ({ argv }) => argv[0] === name);
    if (name !== 'conmon') await stage.until('it listens', () => stage.has('/tmp/work/ready'));
    await claude.crash();
    const found = await leftOpenIn(stage, { through });
    expect(stage.has('/tmp/work/ran') ? stage.read('/tmp/work/ran') : '').toBe('');
    expect(found.map(({ canEnd }) => canEnd)).not.toContain(true);
  })(),
);
