import { describe, expect, test } from 'vitest';
import { jobWith, reap, scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { scene } from '../scene/scene.ts';
import { ServingAgent } from '../scene/servers.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { expectLeft, reapNow } from './expectations.ts';

describe.concurrent('a server that a living agent replaced and left', () => {
  for (const style of ['claude', 'gemini'] as const)
    test(
      `is left over under its session, and ended by the user alone (${style})`,
      scene(async (stage) => {
        writeSettings(stage, { mode: 'enforce', orphanGraceSeconds: 0, noticeSeconds: 0, scanIntervalSeconds: 0.5 });
        const agent = await ServingAgent.start(stage, style);
        await scan(stage);
        const { pid } = await agent.serve('wrapped');
        await scan(stage);
        const processes = agent.tree(pid).slice(1);
        const twin = await agent.serve('wrapped');
        const innocents = [agent.actor, ...agent.tree(twin.pid)].map((one) =>
          bystander(stage, 'the agent and its new server', one.pid),
        );
        // As on a restart of MCP: its input is closed, and only the launcher gets the signal.
        await agent.actor.closeEnd(pid, 0);
        await stage.first.signal(pid, 'KILL');
        await agent.actor.ended(pid);
        const [root] = processes;
        if (root === undefined) throw new Error('the server has no process');
        const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
        await afterLooks(stage, watch, 5);
        await watch.signal('TERM');
        await watch.ended();
        const job = jobWith(await scan(stage), root.pid);
        expect(job).toMatchObject({
          kind: 'server',
          owner: 'live',
          vetoes: [],
          verdict: { state: 'orphaned', action: 'none', at: null },
        });
        expect(job.verdict.reasons.map(({ code }) => code)).toContain('server-replaced');
        for (const more of [[], ['--kind', 'server']]) expect((await reapNow(stage, ...more)).incidents).toEqual([]);
        expectUntouched(
          stage,
          processes.map((one) => bystander(stage, 'the server', one.pid)),
        );
        const { incidents } = await reap(stage, ['--job', job.id, '--grace', '1s']);
        expect(incidents.map(({ job: id, survivors }) => ({ id, survivors }))).toEqual([{ id: job.id, survivors: [] }]);
        expectGone(stage, processes);
        expectUntouched(stage, innocents);
      }),
    );

  test(
    'is not told of as left over while its launcher lives',
    scene(async (stage) => {
      const agent = await ServingAgent.start(stage, 'claude');
      const whole = await agent.serve('wrapped');
      await agent.actor.closeEnd(whole.pid, 0);
      const shown = (await scan(stage)).jobs.filter(({ members }) =>
        members.some(({ pid }) => agent.tree(whole.pid).some((one) => one.pid === pid)),
      );
      expect(shown).toEqual([]);
      expect(await expectLeft(stage, agent.tree(whole.pid))).toContain('server-of-session');
    }),
  );
});
