import { describe, expect, test } from 'vitest';
import { jobWith, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, innocent } from '../scene/innocents.ts';
import { cursor } from '../scene/other-agents.ts';
import { expectAllReaped, expectSpared, pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';

/** Innocents that share a terminal, a number, a file, a folder or an ancestor with a leftover. */
describe.concurrent('a process that shares something with a leftover is not a leftover', () => {
  test(
    'an agent without its own session runs in the user’s terminal: other programs there are not its jobs',
    scene(async (stage) => {
      const terminal = await stage.actor({ argv: ['bash'], setsid: true });
      const mine = await innocent(
        stage,
        { argv: ['node', 'mine.js'], cwd: `${stage.home}/shop`, parent: terminal, setpgid: true },
        { port: 3000 },
      );
      const agent = await cursor(stage, `${stage.home}/shop`, terminal);
      const shell = await agent.shell('sleep 3600; true');
      expect(stage.row(shell.pid)?.sid).toBe(stage.row(mine.identity.pid)?.sid);
      const innocents = [mine, bystander(stage, 'the user’s shell', terminal.pid)];
      const before = jobWith(await scan(stage), shell.pid);
      await agent.crash();
      const after = jobWith(await expectSpared(stage, innocents), shell.pid);
      for (const { members } of [before, after]) {
        for (const { identity } of innocents) expect(members.map(({ pid }) => pid)).not.toContain(identity.pid);
      }
    }),
  );

  test(
    'the same with a marked child of Claude Code that leads no group',
    scene(async (stage) => {
      const terminal = await stage.actor({ argv: ['bash'], setsid: true });
      const mine = await innocent(stage, { argv: ['node', 'mine.js'], parent: terminal });
      const claude = await FakeClaude.start(stage, { parent: terminal, setsid: false });
      const env = claude.environment();
      const pid = await claude.actor.start({ file: '/bin/sleep', argv: ['sleep', '3600'], env, cwd: claude.project });
      const leftover = stage.identity(pid);
      expect(stage.row(pid)?.pgid).toBe(stage.row(mine.identity.pid)?.pgid);
      await claude.crash();
      const shell = bystander(stage, 'the user’s shell', terminal.pid);
      await expectSpared(stage, [mine, shell]);
      // It shares the agent's own kernel session, so marks alone name it.
      await expectAllReaped(stage, [leftover], [mine, shell], { probable: true });
    }),
  );

  test(
    'the same after the terminal’s own shell has ended, so that the group has no leader',
    scene(async (stage) => {
      const terminal = await stage.actor({ argv: ['bash'], setsid: true });
      const mine = await innocent(stage, { argv: ['node', 'mine.js'], parent: terminal });
      const claude = await FakeClaude.start(stage, { parent: terminal, setsid: false });
      const env = claude.environment();
      const start = { file: '/bin/sleep', argv: ['sleep', '3600'], env, cwd: claude.project };
      const leftover = stage.identity(await claude.actor.start(start));
      await terminal.exit();
      await stage.until('the shell has ended', () => stage.row(terminal.pid) === null);
      expect(stage.row(leftover.pid)?.pgid).toBe(stage.row(mine.identity.pid)?.pgid);
      await claude.crash();
      await expectSpared(stage, [mine]);
      await expectAllReaped(stage, [leftover], [mine], { probable: true });
    }),
  );

  test(
    'a terminal whose group and session reuse the number of a dead tool shell (N08 for groups)',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('until test -e /tmp/enough; do sleep 0.1; done');
      // Seen early: from here on the number of its group and session is recorded.
      expect(jobWith(await scan(stage), call.shell.pid).session).toBe(claude.session);
      stage.write('/tmp/enough', '');
      await claude.actor.ended(call.shell.pid);
      const terminal = await stage.actor({ argv: ['bash'], setsid: true, pid: call.shell.pid });
      expect(stage.row(terminal.pid)).toMatchObject({ pid: call.shell.pid, pgid: call.shell.pid, sid: call.shell.pid });
      const server = await innocent(stage, { argv: ['node', 'mine.js'], cwd: claude.project, parent: terminal });
      await claude.crash();
      const look = await expectSpared(stage, [server, bystander(stage, 'the terminal', terminal.pid)]);
      expect(look.jobs.flatMap(({ members }) => members.map(({ pid }) => pid))).not.toContain(server.identity.pid);
    }),
  );

  test(
    'readers of a closed session’s output: the user’s tail, and a tool call of an open session',
    scene(async (stage) => {
      const [dead, living] = [await FakeClaude.start(stage), await FakeClaude.start(stage)];
      const call = await dead.bash('sleep 3600 | cat');
      const output = call.output ?? '';
      const env = stage.userEnvironment();
      const tail = await stage.top.start({ file: '/usr/bin/tail', argv: ['tail', '-f', output], env, setsid: true });
      const follower = await living.bash(`tail -f ${output} | cat`);
      await pinned(stage, 'cat');
      await dead.crash();
      await expectSpared(stage, [
        bystander(stage, 'the user’s tail', tail),
        bystander(stage, 'a tool call that reads it', follower.shell.pid),
      ]);
      expectGone(stage, [call.shell]);
    }),
  );

  for (const version of ['2.0.28', '2.1.197', '2.1.329'] as const) {
    test(
      `an open session whose registry is elsewhere (CLAUDE_CONFIG_DIR), and its jobs (${version})`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage, { version, env: { CLAUDE_CONFIG_DIR: '/tmp/elsewhere' } });
        await claude.foregroundSeen('nohup sleep 3605 >/dev/null 2>&1 & true');
        stage.folder('/tmp/elsewhere');
        stage.move(`${stage.home}/.claude`, '/tmp/elsewhere/.claude');
        const [left] = await pinned(stage, 'sleep 3605');
        if (left === undefined) throw new Error('nothing was left');
        const look = await expectSpared(
          stage,
          [{ what: 'what it left', identity: left, diary: null }, bystander(stage, 'the agent', claude.actor.pid)],
          'codex',
        );
        expect(jobWith(look, left.pid).owner).not.toBe('gone');
      }),
    );
  }

  test(
    'a stopped agent (Ctrl-Z) is alive',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      await claude.foregroundSeen('nohup sleep 3605 >/dev/null 2>&1 & true');
      const [left] = await pinned(stage, 'sleep 3605');
      await stage.first.signal(claude.actor.pid, 'STOP');
      await stage.until('it is stopped', () => stage.row(claude.actor.pid)?.state === 'T');
      await expectSpared(stage, [
        bystander(stage, 'the agent', claude.actor.pid),
        bystander(stage, 'its task', call.shell.pid),
        bystander(stage, 'what a call left', left?.pid ?? 0),
      ]);
      expect(stage.row(claude.actor.pid)?.state).toBe('T');
    }),
  );

  test(
    'an agent that is a zombie, because its parent never collects it, is gone',
    scene(async (stage) => {
      const script = await stage.actor({ argv: ['node', 'pipeline.js'], setsid: true, neglectful: true });
      const claude = await FakeClaude.start(stage, { parent: script });
      const call = await claude.bash('sleep 3600 | cat');
      await claude.crash();
      expect(stage.row(claude.actor.pid)?.state).toBe('Z');
      expect(jobWith(await scan(stage), call.shell.pid).owner).toBe('gone');
      await expectAllReaped(stage, [call.shell], [bystander(stage, 'who started it', script.pid)]);
    }),
  );

  test(
    'a supervisor started from a tool call of a closed session keeps running (N16)',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      const env = { ...claude.environment(), CURFEW_HOME: '/tmp/curfew-home' };
      const watch = await startCurfew(stage, ['watch', '--json', '--observe'], { parent: claude.actor, env });
      await stage.until('it looks', () => watch.stdout().includes('"event":"looked"'));
      await claude.crash();
      await expectSpared(stage, [bystander(stage, 'the supervisor', watch.identity.pid)]);
      expectGone(stage, [call.shell]);
      expect((await runCurfew(stage, ['watch'])).code).toBe(1);
      await watch.signal('TERM');
      await stage.until('it ended', () => !stage.lives(watch.identity));
    }),
  );

  test(
    'two closed sessions and an open one share a project and a command: each leftover belongs to its own session',
    scene(async (stage) => {
      const sessions = [await FakeClaude.start(stage), await FakeClaude.start(stage), await FakeClaude.start(stage)];
      const calls = [];
      for (const claude of sessions) calls.push(await claude.bash('sleep 3600 | cat'));
      const [first, second, living] = calls.map(({ shell }) => shell);
      if (first === undefined || second === undefined || living === undefined) throw new Error('no calls');
      await sessions[0]?.crash();
      await sessions[1]?.crash();
      const look = await scan(stage);
      expect([first, second, living].map(({ pid }) => jobWith(look, pid).session)).toEqual(
        sessions.map(({ session }) => session),
      );
      await expectAllReaped(stage, [first, second], [bystander(stage, 'the living task', living.pid)]);
    }),
  );
});
