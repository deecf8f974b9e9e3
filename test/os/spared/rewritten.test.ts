import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Running } from '../scene/curfew.ts';
import { jobWith, lookBefore, reap, reapOrphans, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { perl, renaming } from '../scene/renaming.ts';
import { expectSpared, pinned } from '../scene/outcome.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { codex } from '../scene/other-agents.ts';

const strace = '/usr/bin/strace';
const gdb = '/usr/bin/gdb';
const unless = (file: string): string => (existsSync(file) ? '' : ` (SKIPPED: ${file} is not on this machine)`);

/** Waits until Curfew has scanned the current state: the scan in progress may have begun before. */
const lookedTwice = async (stage: Scene, watch: Running): Promise<void> => {
  const looks = (): number => watch.stdout().split('"event":"looked"').length;
  const before = looks();
  await stage.until('two more looks', () => looks() >= before + 2);
};

/** A supervisor that ends leftovers as soon as allowed. */
const watching = async (stage: Scene): Promise<Running> => {
  for (const [key, value] of [
    ['orphanGraceSeconds', '1'],
    ['noticeSeconds', '0'],
    ['scanIntervalSeconds', '0.2'],
    ['backgroundKillGraceSeconds', '2'],
  ] as const)
    await runCurfew(stage, ['settings', 'set', key, value]);
  return startCurfew(stage, ['watch', '--enforce', '--json']);
};

const stopped = async (watch: Running): Promise<void> => {
  await watch.signal('TERM');
  await watch.ended();
};

describe.concurrent('a process that overwrites its environment', () => {
  test(
    'is ended in one pass if the text of its running shell never sets CURFEW_KEEP',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const server = renaming(stage, 'plain');
      const call = await claude.bash(`${perl} ${server.path}; true`);
      const left = await server.ready();
      await claude.crash();
      await reapOrphans(stage);
      expectGone(stage, [call.shell, left.identity]);
    }),
  );

  test(
    'is ended by watch after its shell has ended, if the shell’s text never set CURFEW_KEEP',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const server = renaming(stage, 'plain');
      const watch = await watching(stage);
      const call = await claude.bash(`${perl} ${server.path} & sleep 3600`);
      const left = await server.ready();
      await lookedTwice(stage, watch);
      await stage.first.signal(call.shell.pid, 'KILL');
      await lookedTwice(stage, watch);
      await claude.crash();
      await stage.until('the leftover is ended', () => !stage.lives(left.identity));
      expectGone(stage, [left.identity]);
      await stopped(watch);
    }),
  );

  test(
    'stays if its command sets CURFEW_KEEP=1, under watch, after a restart, in one pass and on request',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const server = renaming(stage, 'kept');
      const watch = await watching(stage);
      const call = await claude.bash(`CURFEW_KEEP=1 ${perl} ${server.path} & sleep 3600`);
      const kept = await server.ready();
      const [beside] = await pinned(stage, 'sleep 3600');
      if (beside === undefined) throw new Error('the command did not start');
      await lookedTwice(stage, watch);
      for (const { pid } of [call.shell, beside]) await stage.first.signal(pid, 'KILL');
      await claude.crash();
      await lookedTwice(stage, watch);
      await lookedTwice(stage, watch);
      expectUntouched(stage, [kept]);
      await stopped(watch);
      const look = await expectSpared(stage, [kept]);
      const job = jobWith(look, kept.identity.pid);
      expect(job.vetoes.map(({ code }) => code)).toContain('keep-marker');
      await reap(stage, ['--job', job.id, '--grace', '1s']);
      expectUntouched(stage, [kept]);
    }),
  );

  test(
    'stays if it carried CURFEW_KEEP=1 before an exec: one sighting counts forever',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const server = renaming(stage, 'later');
      stage.write(
        '/tmp/work/start.sh',
        `export CURFEW_KEEP=1\nbash -c 'until [ -e /tmp/work/go ]; do sleep 0.1; done; exec ${perl} ${server.path}' &\nwait\n`,
      );
      const call = await claude.bash('bash /tmp/work/start.sh');
      await stage.find('the waiting shell', ({ argv }) => argv[2]?.startsWith('until') === true);
      await scan(stage);
      stage.write('/tmp/work/go', '');
      const kept = await server.ready();
      await scan(stage);
      await stage.first.signal(call.shell.pid, 'KILL');
      await claude.crash();
      const look = await expectSpared(stage, [kept]);
      expect(jobWith(look, kept.identity.pid).vetoes.map(({ code }) => code)).toContain('keep-marker');
    }),
  );

  test(
    'stays if a script started it before Curfew scanned: the script may have set CURFEW_KEEP',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const server = renaming(stage, 'scripted');
      stage.write('/tmp/work/start.sh', `CURFEW_KEEP=1 ${perl} ${server.path} &\nwait\n`);
      await claude.bash('bash /tmp/work/start.sh');
      const kept = await server.ready();
      await claude.crash();
      const look = await expectSpared(stage, [kept]);
      expect(jobWith(look, kept.identity.pid).vetoes.map(({ code }) => code)).toContain('keep-unknown');
    }),
  );

  test(
    'an agent without a wrapper: the text of its shell counts in the same way',
    scene(async (stage) => {
      const agent = await codex(stage);
      const server = renaming(stage, 'kept');
      const other = renaming(stage, 'plain');
      await agent.shell(`export CURFEW_KEEP=1; ${perl} ${server.path}; true`);
      const plain = await agent.shell(`${perl} ${other.path}; true`);
      const kept = await server.ready();
      const left = await other.ready();
      await lookBefore(stage);
      await agent.crash();
      await expectSpared(stage, [kept]);
      expectGone(stage, [plain, left.identity]);
    }),
  );

  test(
    'a command that only mentions CURFEW_KEEP=1 is an ordinary leftover',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash(`echo "CURFEW_KEEP=1"; CURFEW_KEEP=0 sleep 3600; true`);
      const [left] = await pinned(stage, 'sleep 3600');
      if (left === undefined) throw new Error('the command did not start');
      await claude.crash();
      await reapOrphans(stage);
      expectGone(stage, [call.shell, left]);
    }),
  );
});

describe.concurrent('a process held by a debugger or tracer', () => {
  test.skipIf(!existsSync(strace))(
    `stays while strace traces it, and is ended after that${unless(strace)}`,
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600; true');
      const [traced] = await pinned(stage, 'sleep 3600');
      if (traced === undefined) throw new Error('the command did not start');
      const { pid } = await stage.top.begin({
        file: strace,
        argv: ['strace', '-o', '/dev/null', '-p', String(traced.pid)],
        env: stage.userEnvironment(),
        cwd: stage.home,
        setsid: true,
      });
      await stage.until('strace holds it', () =>
        stage.read(`/proc/${traced.pid}/status`).includes(`TracerPid:\t${pid}`),
      );
      await claude.crash();
      const look = await expectSpared(stage, [
        bystander(stage, 'the traced process', traced.pid),
        bystander(stage, 'strace', pid),
      ]);
      expect(jobWith(look, traced.pid).vetoes).toMatchObject([{ code: 'traced', pid: traced.pid }]);
      await stage.first.signal(pid, 'TERM');
      await stage.until('strace let it go', () => stage.read(`/proc/${traced.pid}/status`).includes('TracerPid:\t0'));
      await reapOrphans(stage);
      expectGone(stage, [call.shell, traced]);
    }),
  );

  test.skipIf(!existsSync(gdb))(
    `stays while gdb has stopped it${unless(gdb)}`,
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.bash('sleep 3600; true');
      const [traced] = await pinned(stage, 'sleep 3600');
      if (traced === undefined) throw new Error('the command did not start');
      stage.write('/tmp/work/keys', '');
      const { pid } = await stage.top.begin({
        file: gdb,
        argv: ['gdb', '-q', '-nx', '-batch', '-p', String(traced.pid), '-ex', 'shell sleep 3700'],
        env: stage.userEnvironment(),
        cwd: stage.home,
        setsid: true,
      });
      await stage.until('gdb holds it', () => stage.read(`/proc/${traced.pid}/status`).includes(`TracerPid:\t${pid}`));
      await claude.crash();
      const look = await expectSpared(stage, [bystander(stage, 'the traced process', traced.pid)]);
      expect(jobWith(look, traced.pid).vetoes).toMatchObject([{ code: 'traced', pid: traced.pid }]);
    }),
  );

  test.skipIf(!existsSync(strace))(
    `a leftover that the agent itself started under strace is ended, and strace too${unless(strace)}`,
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('strace -f -o /dev/null sleep 3600; true');
      const left = await pinned(stage, 'sleep 3600', 'strace -f -o /dev/null sleep 3600');
      await claude.crash();
      await reapOrphans(stage);
      expectGone(stage, [call.shell, ...left]);
    }),
  );
});
