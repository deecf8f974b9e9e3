import { spawnSync } from 'node:child_process';
import { existsSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Actor } from '../scene/actor.ts';
import { history, jobWith, oneDocument, patient, reapOrphans, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { shellArguments } from '../scene/claude-shell.ts';
import { expectGone, expectUntouched } from '../scene/innocents.ts';
import { expectReaped, livingSession, pinned } from '../scene/outcome.ts';
import type { Identity } from '../scene/processes.ts';
import { reapDocument } from '../scene/schemas.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { isRootOfMachine, isWritable, manyUsers, readableRoot } from '../machine-facts.ts';
import { machineProgram } from './machine-program.ts';

/**
 * Machines that hide, withhold or forbid something: Curfew ends less there, says so, and claims
 * nothing.
 */

const userUid = 1000;
/**
 * Version 1: KILL does not reach a frozen process. Version 2 lets KILL through (cgroup-v2.rst,
 * "cgroup.freeze").
 */
const freezer = '/sys/fs/cgroup/freezer';

/**
 * landlock_create_ruleset(2): asks for the version of Landlock. From 6 (Linux 6.12) on it can keep
 * signals inside. https://docs.kernel.org/userspace-api/landlock.html
 */
const landlockVersion = Number(
  spawnSync('perl', ['-e', 'print syscall(444, 0, 0, 1)'], { encoding: 'utf8' }).stdout || '-1',
);
const signalsCanBeForbidden = landlockVersion >= 6;
/**
 * Lets a program signal only itself: every other kill(2) and pidfd_send_signal(2) fails with EPERM,
 * also for root.
 */
const forbidSignals =
  'my $rules = pack("QQQ", 0, 0, 2); my $fd = syscall(444, $rules, 24, 0); $fd >= 0 or die $!; ' +
  `syscall(${process.arch === 'x64' ? 157 : 167}, 38, 1, 0, 0, 0) == 0 or die $!; ` +
  'syscall(446, $fd, 0) == 0 or die $!; exec @ARGV';

interface Orphaned {
  readonly shellOfUser: Actor;
  readonly shell: Identity;
}

/** A user without privileges, whose Claude Code has crashed and left a shell. */
const orphanOfUser = async (stage: Scene, command: string): Promise<Orphaned> => {
  stage.folder('/tmp/curfew-home');
  const shellOfUser = await stage.actor({ argv: ['bash', 'login.sh'], uid: userUid, setsid: true });
  const claude = await FakeClaude.start(stage, { parent: shellOfUser });
  const request = { version: '2.1.329', home: stage.home, command, snapshot: 'snapshot-bash-1-abcdef.sh' } as const;
  const pid = await claude.actor.start({
    file: '/bin/bash',
    argv: shellArguments({ ...request, folderSuffix: '1a2b', shell: 'bash' }),
    env: claude.environment(),
    cwd: claude.project,
    setsid: true,
  });
  const shell = stage.identity(pid);
  await machineProgram(
    stage,
    'chown',
    '-R',
    `${userUid}:${userUid}`,
    stage.home,
    '/tmp/curfew-home',
    '/tmp/scene/runs',
  );
  await claude.crash();
  return { shellOfUser, shell };
};

describe.concurrent('a machine that hides or forbids something', () => {
  test.skipIf(!manyUsers)(
    'with a part of /proc hidden (hidepid) the session is unknown and nothing is ended; once visible, it is',
    scene(async (stage) => {
      stage.folder('/tmp/scene/runs');
      const { shellOfUser, shell } = await orphanOfUser(stage, 'sleep 3600 | cat');
      await machineProgram(stage, 'mount', '-o', 'remount,hidepid=invisible', '/proc');
      expect(jobWith(await scan(stage, [], { parent: shellOfUser }), shell.pid).owner).toBe('unknown');
      expect((await runCurfew(stage, ['scan'], { parent: shellOfUser })).stdout).toMatch(
        /hides\s+a\s+part\s+of\s+its\s+processes/,
      );
      expect((await reapOrphans(stage, { parent: shellOfUser })).incidents).toEqual([]);
      expect((await runCurfew(stage, ['doctor'], { parent: shellOfUser })).stdout).toMatch(
        /the\s+machine\s+hides\s+a\s+part/,
      );
      expect(stage.lives(shell)).toBe(true);
      await machineProgram(stage, 'mount', '-o', 'remount,hidepid=off', '/proc');
      expect(await reapOrphans(stage, { parent: shellOfUser, ...patient })).toMatchObject({
        incidents: [{ outcome: 'reaped' }],
      });
      expectGone(stage, [shell]);
    }),
  );

  test.skipIf(!manyUsers)(
    'a member that became another user’s (setuid) spares the whole job, and the output says why',
    scene(async (stage) => {
      stage.folder('/tmp/scene/runs');
      await machineProgram(stage, 'cp', '/bin/sleep', '/tmp/scene/raised');
      await machineProgram(stage, 'chmod', '4755', '/tmp/scene/raised');
      const { shellOfUser, shell } = await orphanOfUser(stage, '/tmp/scene/raised 3600; true');
      const raised = await stage.find('raised', (row) => row.argv[0] === '/tmp/scene/raised');
      const run = await runCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '1s'], {
        parent: shellOfUser,
      });
      const look = await scan(stage, ['--all'], { parent: shellOfUser });
      expect(jobWith(look, shell.pid).vetoes.map(({ code }) => code)).toContain('other-user');
      expect([stage.lives(shell), stage.row(raised.pid)?.start]).toEqual([true, raised.start]);
      const outcomes = reapDocument.parse(JSON.parse(run.stdout)).incidents.map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome !== 'spared')).toEqual([]);
    }),
  );

  test(
    'without koffi there is no pidfd and doctor says so; identities are checked before each signal, and the leftover is ended',
    scene(async (stage) => {
      await machineProgram(stage, 'mount', '-t', 'tmpfs', 'none', join(readableRoot, 'node_modules/koffi'));
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const command = "trap '' TERM; sleep 3600 | cat; true";
      const call = await claude.bash(command);
      const processes = [call.shell, ...(await pinned(stage, 'sleep 3600', 'cat'))];
      await claude.crash();
      expect((await runCurfew(stage, ['doctor'])).stdout).toContain('recheck');
      const leftover = { processes, session: claude.session, project: claude.project, command };
      const { incident } = await expectReaped(stage, leftover, innocents);
      expect(incident.outcome).toBe('killed');
      expect(incident.signals.filter(({ target }) => target.startsWith('group'))).toEqual([]);
    }),
  );

  // Of a user other than root it hides the environments, too.
  test.skipIf(!signalsCanBeForbidden || !isRootOfMachine)(
    `without permission to signal (Landlock) each refusal is recorded, survivors are named, and nothing counts as freed${isRootOfMachine ? '' : ' (SKIPPED: this is tried by root of the machine)'}`,
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600; true');
      const processes = [call.shell, ...(await pinned(stage, 'sleep 3600'))];
      await claude.crash();
      const through = ['perl', '-e', forbidSignals];
      const run = await runCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '1s'], { through });
      expect(run.code).toBe(1);
      const [incident] = reapDocument.parse(oneDocument(run)).incidents;
      expect(incident).toMatchObject({ outcome: 'survived', freed: { processes: 0, rssBytes: 0 } });
      expect(new Set(incident?.signals.map(({ result }) => result))).toEqual(new Set(['refused']));
      expect(incident?.survivors).toHaveLength(processes.length);
      for (const one of processes) expect(stage.lives(one)).toBe(true);
      expect((await runCurfew(stage, ['history'])).stdout).toContain(`still running: ${call.shell.pid} `);
      // Once allowed, the next pass ends it.
      expect(await reapOrphans(stage, patient)).toMatchObject({ incidents: [{ outcome: 'reaped' }] });
      expectGone(stage, processes);
    }),
  );

  test(
    'after a reboot during a reaping nothing of the earlier boot is mistaken for a current process',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash("trap ': > /tmp/heard' TERM; while :; do sleep 1; done");
      await stage.untilDeaf(call.shell.pid, 'SIGTERM');
      await claude.crash();
      const pass = await startCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '60s']);
      await stage.until('TERM was heard', () => stage.has('/tmp/heard'));
      await pass.signal('KILL');
      await pass.ended();
      stage.write('/tmp/boot_id', '7d5a2f0e-0000-4000-8000-000000000001\n');
      await machineProgram(stage, 'mount', '--bind', '/tmp/boot_id', '/proc/sys/kernel/random/boot_id');
      // Found again under another id: a job of this boot, unrelated to the recorded one.
      expect(await reapOrphans(stage)).toMatchObject({ incidents: [{ outcome: 'killed' }] });
      expectGone(stage, [call.shell]);
      // For an hour it may be the record of another machine with the same home, which goes on.
      expect((await history(stage)).map(({ outcome }) => outcome)).toEqual(['killed', null]);
    }),
  );

  test(
    'in a time namespace eight hours ahead ages are correct',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      const through = ['unshare', '--time', '--boottime', '28800', '--monotonic', '28800', '--fork', '--'];
      const job = jobWith(await scan(stage, [], { through }), call.shell.pid);
      expect(job.ageSeconds).toBeLessThan(3600);
      expect(job.verdict.state).toBe('within');
    }),
  );
});

describe('a member that waits in the kernel', () => {
  test(
    'stopped by a debugger: it is left alone, and ended once the debugger is gone',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600');
      const [sleeper] = await pinned(stage, 'sleep 3600');
      if (sleeper === undefined) throw new Error('nothing sleeps');
      // PTRACE_ATTACH
      const attach = 'syscall($ARGV[0] eq "x86_64" ? 101 : 117, 16, $ARGV[1] + 0, 0, 0) == 0 or die $!; sleep 3600';
      const machine = process.arch === 'x64' ? 'x86_64' : 'aarch64';
      const argv = ['perl', '-e', attach, machine, String(sleeper.pid)];
      const debug = { file: '/usr/bin/perl', argv, env: stage.userEnvironment(), setsid: true };
      const debuggerPid = await stage.top.start(debug);
      await stage.until('it is held', () => stage.row(sleeper.pid)?.state === 't');
      const debugging = { what: 'the debugger', identity: stage.identity(debuggerPid), diary: null };
      await claude.crash();
      expect((await reapOrphans(stage)).incidents).toEqual([]);
      expect(stage.lives(sleeper)).toBe(true);
      expectUntouched(stage, [debugging]);
      await stage.first.signal(debuggerPid, 'KILL');
      await stage.until('the debugger is gone', () => !stage.lives(debugging.identity));
      expect((await reapOrphans(stage)).incidents).toMatchObject([{ survivors: [] }]);
      expectGone(stage, [call.shell, sleeper]);
    }),
  );

  test.skipIf(!existsSync(`${freezer}/cgroup.procs`) || !isWritable(freezer))(
    'frozen, where KILL does not arrive: it survives, is named, is not counted; once thawed, it dies',
    scene(async (stage) => {
      const group = `${freezer}/curfew-test-${process.pid}`;
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600; true');
      const [sleeper] = await pinned(stage, 'sleep 3600');
      if (sleeper === undefined) throw new Error('nothing sleeps');
      await claude.crash();
      // Written inside, because pids are those of the writer's namespace.
      const freeze = `mkdir ${group} && echo ${sleeper.pid} > ${group}/tasks && echo FROZEN > ${group}/freezer.state`;
      try {
        await machineProgram(stage, '/bin/sh', '-c', freeze);
        await stage.until('it is frozen', () => stage.row(sleeper.pid)?.state === 'D');
        const run = await runCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '1s']);
        expect(run.code).toBe(1);
        const [incident] = reapDocument.parse(oneDocument(run)).incidents;
        expect(incident).toMatchObject({
          outcome: 'survived',
          survivors: [{ pid: sleeper.pid }],
          freed: { processes: 1 },
        });
        expectGone(stage, [call.shell]);
        expect(stage.lives(sleeper)).toBe(true);
        expect((await runCurfew(stage, ['history'])).stdout).toContain(`still running: ${sleeper.pid} sleep 3600`);
      } finally {
        // A frozen process would outlive the scene.
        if (existsSync(group)) writeFileSync(`${group}/freezer.state`, 'THAWED');
      }
      await stage.until('it is dead', () => stage.row(sleeper.pid) === null);
      rmdirSync(group);
    }),
  );
});
