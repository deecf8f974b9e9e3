import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { moveToBackground } from '../scene/background-session.ts';
import { jobWith, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, innocent, innocentProgram } from '../scene/innocents.ts';
import { expectAllReaped, expectSpared, pinned } from '../scene/outcome.ts';
import { type Scene, scene } from '../scene/scene.ts';

const agentItself = (claude: FakeClaude): { what: string; identity: FakeClaude['identity']; diary: null } => ({
  what: 'the agent itself',
  identity: claude.identity,
  diary: null,
});

/** A dev server that a tool call of this session started, in its own session. */
const devServer = async (stage: Scene, claude: FakeClaude, port = 3000): ReturnType<typeof innocent> =>
  innocent(
    stage,
    { argv: ['node', 'server.js'], cwd: claude.project, parent: claude.actor, env: claude.environment(), setsid: true },
    { port },
  );

describe.concurrent('jobs of open sessions are left alone', () => {
  for (const version of ['2.0.28', '2.1.197', '2.1.329'] as const) {
    test(
      `N13: the dev server and the silent task of an open session (Claude Code ${version})`,
      scene(async (stage) => {
        const claude = await FakeClaude.start(stage, { version });
        const server = await devServer(stage, claude);
        const call = await claude.bash('sleep 3600 | cat');
        const innocents = [server, agentItself(claude), bystander(stage, 'its silent task', call.shell.pid)];
        const look = await expectSpared(stage, innocents, 'codex');
        for (const pid of [server.identity.pid, call.shell.pid]) expect(jobWith(look, pid).owner).not.toBe('gone');
        expect(jobWith(look, server.identity.pid)).toMatchObject({ kind: 'service', holds: { ports: [3000] } });
      }),
    );
  }

  test(
    'T03: a job of an open session started with nohup … & is shown as its job and left alone',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.foregroundSeen('nohup sleep 3605 >/dev/null 2>&1 & echo started');
      const [left] = await pinned(stage, 'sleep 3605');
      if (left === undefined) throw new Error('nothing was left');
      const look = await expectSpared(stage, [{ what: 'the leftover', identity: left, diary: null }]);
      expect(jobWith(look, left.pid)).toMatchObject({
        owner: 'live',
        session: claude.session,
        project: claude.project,
      });
    }),
  );

  test(
    'N07: an agent started inside a tool shell outlives the outer agent, and so do its own jobs',
    scene(async (stage) => {
      const outer = await FakeClaude.start(stage);
      const inner = stage.actorProgram(`${outer.project}/review`);
      stage.program('/tmp/scene/path/claude');
      await outer.bash('claude review');
      const actor = await inner.ready();
      const env = {
        ...outer.environment(),
        CLAUDE_PID: String(actor.pid),
        CLAUDE_CODE_SESSION_ID: 'f3c1f0de-0000-4000-8000-000000000001',
      };
      const server = await innocent(stage, {
        argv: ['node', 'inner.js'],
        cwd: outer.project,
        parent: actor,
        env,
        setsid: true,
      });
      stage.write(
        `${stage.home}/.claude/sessions/${actor.pid}.json`,
        JSON.stringify({
          pid: actor.pid,
          sessionId: env.CLAUDE_CODE_SESSION_ID,
          cwd: outer.project,
          startedAt: Date.now(),
          procStart: stage.identity(actor.pid).start,
          version: '2.1.329',
          kind: 'interactive',
          status: 'busy',
        }),
      );
      await outer.crash();
      await expectSpared(stage, [bystander(stage, 'the inner agent', actor.pid), server]);
    }),
  );

  test(
    'N09: a session that another process resumed is open, whatever happened to the first process',
    scene(async (stage) => {
      const first = await FakeClaude.start(stage);
      await first.crash();
      const second = await FakeClaude.start(stage, { session: first.session });
      const server = await devServer(stage, second);
      await expectSpared(stage, [agentItself(second), server]);
    }),
  );

  test(
    'N19: an open session that is missing from the registry is not closed',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      rmSync(stage.outside(claude.registration));
      const server = await devServer(stage, claude);
      const look = await expectSpared(stage, [agentItself(claude), server], 'codex');
      expect(jobWith(look, server.identity.pid).owner).not.toBe('gone');
    }),
  );

  test(
    'N19: an unreadable registry proves nothing',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.write(claude.registration, '{"pid": 12');
      const server = await devServer(stage, claude);
      await expectSpared(stage, [agentItself(claude), server], 'codex');
    }),
  );

  test(
    'shells adopted by a background session are its own, though parent, pid and session in their markers are dead; after claude stop they are orphans',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      const server = await devServer(stage, claude);
      const background = await moveToBackground(stage, claude);
      const innocents = [
        server,
        bystander(stage, 'the adopted shell', call.shell.pid),
        bystander(stage, 'the worker', background.worker.pid),
        bystander(stage, 'the daemon', background.daemon.pid),
      ];
      const look = await expectSpared(stage, innocents);
      expect(jobWith(look, call.shell.pid).owner).toBe('live');
      await background.stop();
      expect(jobWith(await scan(stage), call.shell.pid).owner).toBe('gone');
      await expectAllReaped(stage, [call.shell], [bystander(stage, 'the daemon', background.daemon.pid)]);
    }),
  );

  test(
    'T18: remains of a killed daemon, a terminal host and a spare, belong to the agent: neither they nor their adopted shells are ended',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      const { daemon, worker } = await moveToBackground(stage, claude);
      const host = stage.row(worker.pid)?.ppid ?? 0;
      await stage.first.signal(daemon.pid, 'KILL');
      await stage.until('the host is an orphan', () => stage.row(host)?.ppid === stage.top.pid);
      const look = await expectSpared(stage, [
        bystander(stage, 'the host of a terminal', host),
        bystander(stage, 'the spare that works on', worker.pid),
        bystander(stage, 'the shell that it took over', call.shell.pid),
      ]);
      expect(jobWith(look, call.shell.pid).owner).toBe('live');
      const members = look.jobs.flatMap((job) => job.members.map(({ pid }) => pid));
      expect(members.filter((pid) => pid === host || pid === worker.pid)).toEqual([]);
    }),
  );

  test(
    'N11: servers that a running agent started for itself, and hooks and daemons with its markers',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const play = (name: string, more: { readonly env: Record<string, string>; readonly setsid: boolean }) =>
        innocent(stage, { argv: ['node', name], cwd: claude.project, parent: claude.actor, ...more });
      const innocents = [
        await play('mcp-server.js', { env: stage.userEnvironment(), setsid: false }),
        await play('session-start-hook.js', { env: claude.environment('harness'), setsid: true }),
        agentItself(claude),
      ];
      await expectSpared(stage, innocents);
    }),
  );

  test(
    'a hook and a daemon of a dead agent carry CLAUDECODE and its pid, and are not jobs of a tool call',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const env = claude.environment('harness');
      const daemon = await innocent(stage, {
        argv: ['node', 'statistics-daemon.js'],
        cwd: claude.project,
        parent: claude.actor,
        env,
        setsid: true,
      });
      await claude.crash();
      const look = await expectSpared(stage, [daemon]);
      const shown = look.jobs.filter((job) => job.members.some((member) => member.pid === daemon.identity.pid));
      expect(shown.map(({ kind, verdict }) => `${kind} ${verdict.action}`)).toEqual(['server none']);
    }),
  );

  test(
    'two sessions in one project: the leftover of the closed one goes, its twin of the open one stays',
    scene(async (stage) => {
      const [dead, living] = [await FakeClaude.start(stage), await FakeClaude.start(stage)];
      stage.program('/tmp/scene/path/node');
      const twin = innocentProgram(stage, `${living.project}/twin.js`);
      await living.foregroundSeen('node twin.js &');
      const innocents = [await twin.ready(), agentItself(living)];
      await dead.foregroundSeen('node twin.js &');
      const [, copy] = await stage.until('two of them', () => {
        const rows = stage.table().filter((row) => row.argv.join(' ') === 'node twin.js');
        return rows.length === 2 && rows;
      });
      await dead.end();
      const gone = stage.identity(copy?.pid ?? 0);
      // Both write into one diary; only the one of the closed session gets TERM.
      await expectAllReaped(
        stage,
        [gone],
        innocents.map((each) => ({ ...each, diary: null })),
      );
    }),
  );
});
