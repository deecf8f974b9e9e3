import { describe, expect, test } from 'vitest';
import { jobWith, lookBefore, reapOrphans, runCurfew, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched, innocent, innocentProgram } from '../scene/innocents.ts';
import { expectSpared, pinned } from '../scene/outcome.ts';
import { codex, copilot, gemini, mux, opencode } from '../scene/other-agents.ts';
import { scene } from '../scene/scene.ts';

describe.concurrent('jobs that are marked as meant to stay', () => {
  test(
    'N01: a bot started with CURFEW_KEEP=1 and its children stay when its session ends',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/node');
      const bot = innocentProgram(stage, `${claude.project}/bot.js`);
      await claude.foreground('CURFEW_KEEP=1 nohup node bot.js >/dev/null 2>&1 & sleep 3601 & echo started');
      const [beside] = await pinned(stage, 'sleep 3601');
      const innocents = [await bot.ready()];
      await claude.end();
      const look = await expectSpared(stage, innocents);
      const job = jobWith(look, innocents[0]?.identity.pid ?? 0);
      expect(job.vetoes.map((veto) => veto.code)).toContain('keep-marker');
      // Only it has the mark; but if a part of a job has to stay, the rest must stay whole.
      expect(beside).toBeDefined();
    }),
  );

  test(
    'N01: curfew keep postpones the end of an orphan, curfew unkeep undoes that',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      await claude.crash();
      const { id } = jobWith(await scan(stage), call.shell.pid);
      expect(await runCurfew(stage, ['keep', id, '--for', '1h'])).toMatchObject({ code: 0 });
      expect(jobWith(await scan(stage), call.shell.pid).verdict.state).toBe('kept');
      await reapOrphans(stage);
      expect(stage.lives(call.shell)).toBe(true);
      expect(await runCurfew(stage, ['unkeep', id])).toMatchObject({ code: 0 });
      await reapOrphans(stage);
      expectGone(stage, [call.shell]);
    }),
  );

  test(
    'a Copilot shell that is meant to outlive it (lease "keep") stays, its plain shells do not (T28)',
    scene(async (stage) => {
      const agent = await copilot(stage);
      const kept = await agent.detached('sleep 3600', 'keep');
      const plain = await agent.shell('sleep 3601; true');
      const children = await pinned(stage, 'sleep 3600', 'sleep 3601');
      await lookBefore(stage);
      await agent.crash();
      const [keptChild, plainChild] = children;
      if (keptChild === undefined || plainChild === undefined) throw new Error('a shell did not start');
      const innocents = [bystander(stage, 'the kept shell', kept.pid), bystander(stage, 'its command', keptChild.pid)];
      await expectSpared(stage, innocents);
      expectGone(stage, [plain, plainChild]);
    }),
  );

  test(
    'mux: its running shells are adopted by the subreaper and stay',
    scene(async (stage) => {
      const agent = await mux(stage);
      const shell = await agent.shell('sleep 3600; true');
      const [child] = await pinned(stage, 'sleep 3600');
      const look = await expectSpared(stage, [
        bystander(stage, 'mux', agent.actor.pid),
        bystander(stage, 'its shell', shell.pid),
        bystander(stage, 'its command', child?.pid ?? 0),
      ]);
      expect(jobWith(look, shell.pid)).toMatchObject({ agent: 'mux', project: agent.project });
      expect(jobWith(look, shell.pid).owner).not.toBe('gone');
    }),
  );

  test(
    'Gemini: its launching node was killed, the agent below it still runs, and its shells stay',
    scene(async (stage) => {
      const agent = await gemini(stage);
      const shell = await agent.shell('sleep 3600; true');
      await stage.first.signal(agent.launcher.pid, 'KILL');
      await stage.until('the launcher is gone', () => stage.row(agent.launcher.pid) === null);
      const look = await expectSpared(stage, [
        bystander(stage, 'the agent', agent.actor.pid),
        bystander(stage, 'its shell', shell.pid),
      ]);
      expect(jobWith(look, shell.pid).owner).not.toBe('gone');
    }),
  );

  test(
    'opencode: language servers and other helpers carry its markers, and belong to it',
    scene(async (stage) => {
      const agent = await opencode(stage);
      const helper = await innocent(stage, {
        argv: ['node', 'typescript-language-server.js'],
        cwd: agent.project,
        parent: agent.actor,
        env: agent.environment,
      });
      await expectSpared(stage, [helper, bystander(stage, 'the agent', agent.actor.pid)]);
    }),
  );

  test(
    'the shells of running agents of every kind',
    scene(async (stage) => {
      const agents = [await codex(stage), await copilot(stage), await opencode(stage)];
      const shells = await Promise.all(agents.map((agent) => agent.shell('sleep 3600; true')));
      const innocents = shells.map((shell) => bystander(stage, 'a shell', shell.pid));
      const look = await expectSpared(stage, innocents);
      expectUntouched(stage, innocents);
      for (const shell of shells) expect(jobWith(look, shell.pid).owner).not.toBe('gone');
    }),
  );
});
