import { describe, expect, test } from 'vitest';
import { jobWith, patient, reapOrphans, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { expectReaped, expectSpared, livingSession, pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';

describe.concurrent('processes in odd states', () => {
  test(
    'hot loops, with the command line of the wrapper and without (T08)',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const command = '(while :; do :; done) & yes > /dev/null & wait';
      const call = await claude.bash(command);
      const [yes] = await pinned(stage, 'yes');
      const loop = await stage.find('the loop', (row) => row.ppid === call.shell.pid && row.argv.length === 3);
      if (yes === undefined) throw new Error('yes was not pinned');
      const processes = [call.shell, yes, stage.identity(loop.pid)];
      await claude.crash();
      const leftover = { processes, session: claude.session, project: claude.project, command };
      await expectReaped(stage, leftover, innocents);
    }),
  );

  test(
    'a stopped process handles TERM, because CONT follows it, and can clean up',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const command = `trap 'echo cleaned > /tmp/cleaned; exit 143' TERM; sleep 3600 & wait`;
      const call = await claude.bash(command);
      const processes = [call.shell, ...(await pinned(stage, 'sleep 3600'))];
      await claude.crash();
      await stage.first.signal(call.shell.pid, 'STOP');
      await stage.until('it is stopped', () => stage.row(call.shell.pid)?.state === 'T');
      const leftover = { processes, session: claude.session, project: claude.project, command };
      const { job, incident } = await expectReaped(stage, leftover, innocents, patient);
      expect(job.members.find((member) => member.pid === call.shell.pid)?.state).toBe('T');
      expect(job.diagnoses).toContain('stopped');
      expect(stage.read('/tmp/cleaned')).toBe('cleaned\n');
      expect(incident.outcome).toBe('reaped');
    }),
  );

  test(
    'memory that forks share counts once in what was freed',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const program = 'import os, time; held = b"x" * (64 << 20); [os.fork() or time.sleep(3600) for _ in range(4)]';
      await claude.bash(`python3 -c '${program}; open("/tmp/forked", "w"); time.sleep(3600)'`);
      await stage.until('it has forked', () => stage.has('/tmp/forked'));
      await claude.crash();
      const [incident] = (await reapOrphans(stage, patient)).incidents;
      expect(incident?.freed.processes).toBeGreaterThan(4);
      expect(incident?.freed.rssBytes).toBeGreaterThan(64e6);
      expect(incident?.freed.rssBytes).toBeLessThan(128e6);
    }),
  );

  test(
    'T30: ended tool shells that their running agent never collects are zombies: not jobs, not victims, not survivors',
    scene(async (stage) => {
      const agent = await stage.actor({ argv: ['claude'], setsid: true, neglectful: true });
      const claude = await FakeClaude.start(stage);
      const env = { ...claude.environment(), CLAUDE_PID: String(agent.pid) };
      const zombie = await agent.start({ file: '/bin/bash', argv: ['/bin/bash', '-c', 'exit 0'], env, setsid: true });
      await stage.until('it is a zombie', () => stage.row(zombie)?.state === 'Z');
      // The agent without an entry could have any session of Claude Code: the victim is another's.
      const look = await expectSpared(stage, [], 'codex');
      expect(look.jobs.flatMap((job) => job.members.map((member) => member.pid))).not.toContain(zombie);
      expect(stage.row(zombie)?.state).toBe('Z');
    }),
  );

  test(
    'N18: zombies inside a leftover count neither as freed nor as left',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      // exec: the sleep that replaces the shell has a child that it doesn't know and never
      // collects.
      const command = 'sleep 0.1 & exec sleep 3600';
      const call = await claude.bash(command);
      await stage.until('a zombie', () =>
        stage.table().some((row) => row.ppid === call.shell.pid && row.state === 'Z'),
      );
      const processes = await pinned(stage, 'sleep 3600');
      await claude.crash();
      const leftover = { processes, session: claude.session, project: claude.project, command: null };
      const { incident } = await expectReaped(stage, leftover, innocents);
      expect(incident.freed.processes).toBe(1);
    }),
  );

  test(
    'T19: a process in a deleted worktree that ignores TERM gets KILL after the grace',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage, { project: `${stage.home}/worktree` });
      const command = `trap '' TERM HUP INT; rm -rf "$PWD"; while :; do sleep 3608; done`;
      const call = await claude.bash(command);
      const processes = [call.shell, ...(await pinned(stage, 'sleep 3608'))];
      await stage.until('the folder is gone', () => !stage.has(claude.project));
      await claude.crash();
      expect(jobWith(await scan(stage), call.shell.pid).diagnoses).toContain('deleted-folder');
      const leftover = { processes, session: claude.session, project: claude.project, command };
      const { incident } = await expectReaped(stage, leftover, innocents);
      expect(incident.outcome).toBe('killed');
    }),
  );
});
