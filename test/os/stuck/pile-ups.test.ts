import { expect, test } from 'vitest';
import { runCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { scene } from '../scene/scene.ts';

test(
  'doctor and scan --explain report many commands of one session, sockets without sessions and a large output, and nothing else',
  scene(async (stage) => {
    const calm = await runCurfew(stage, ['doctor']);
    expect(calm.stdout).toContain('no sockets and no outputs pile up');
    const claude = await FakeClaude.start(stage);
    const call = await claude.bash('sleep 3600');
    for (let number = 0; number < 10; number += 1) await claude.bash(`sleep ${3601 + number}`);
    const listen = `perl -MIO::Socket::UNIX -e 'for (10 .. 40) { push @l, IO::Socket::UNIX->new(Local => "/tmp/claude-http-00000000000000$_.sock", Listen => 1) }'`;
    const sockets = await stage.top.start({
      file: '/bin/bash',
      argv: ['bash', '-c', listen],
      env: stage.userEnvironment(),
    });
    await stage.top.ended(sockets);
    const grow = await stage.top.start({
      file: '/usr/bin/truncate',
      argv: ['truncate', '-s', '400M', call.output ?? ''],
      env: stage.userEnvironment(),
    });
    await stage.top.ended(grow);
    for (const args of [['doctor'], ['scan', '--explain']]) {
      const said = (await runCurfew(stage, args)).stdout.replaceAll(/\s+/gu, ' ');
      expect(said).toContain('11 commands of one session of Claude Code');
      expect(said).toContain('31 sockets of agents lie in /tmp');
      expect(said).toMatch(/The output of job [0-9a-f]+ has grown to 419 MB/u);
    }
    expect((await runCurfew(stage, ['scan'])).stdout).not.toContain('sockets of agents');
  }),
);
