import { describe, expect, test } from 'vitest';
import { agentName } from '../../../app/text/agent-name.ts';
import type { Actor } from '../scene/actor.ts';
import { jobWith, lookBefore, patient, reapOrphans, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import { gemini } from '../scene/other-agents.ts';
import { pinned } from '../scene/outcome.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';

/** Lets a program that no dossier knows start a command, with this mark as its only one. */
const marked = (stage: Scene, by: Actor, mark: Readonly<Record<string, string>>, seconds: number): Promise<Identity> =>
  by.begin({
    file: '/bin/sleep',
    argv: ['sleep', String(seconds)],
    env: { ...stage.userEnvironment(), ...mark },
    cwd: stage.home,
    setsid: true,
    fds: { 0: '/dev/null', 1: '/dev/null', 2: '/dev/null' },
  });

const end = async (stage: Scene, { pid }: Pick<Identity, 'pid'>): Promise<void> => {
  await stage.first.signal(pid, 'KILL');
  await stage.until('it is gone', () => stage.row(pid) === null);
};

describe.concurrent('what agents left that no look saw, beside the user’s shell and server', () => {
  test(
    'is probably left over where the server’s package holds no such agent, by whatever name that goes',
    scene(async (stage) => {
      stage.write(`${stage.home}/shop/package.json`, JSON.stringify({ name: 'shop', dependencies: { hono: '4.0.0' } }));
      stage.write(`${stage.home}/shop/server.js`, '');
      const cwd = `${stage.home}/shop`;
      await stage.actor({ argv: ['-bash'], setsid: true });
      const server = await stage.actor({ argv: ['node', 'server.js'], cwd, setsid: true });
      const unknown = await stage.actor({ argv: ['kestrel', 'work'], setsid: true });
      const kimi = await marked(stage, unknown, { AI_AGENT: 'kimi@2.1' }, 4001);
      const merlin = await marked(stage, unknown, { AGENT: 'merlin' }, 4002);
      await end(stage, unknown);
      const agent = await gemini(stage);
      await agent.actor.ended((await agent.shell('nohup sleep 3600 >/dev/null 2>&1 & true')).pid);
      const left = await pinned(stage, 'sleep 3600');
      await agent.crash();
      const innocents = [bystander(stage, 'the user’s server', server.pid)];

      const shown = (look: Awaited<ReturnType<typeof scan>>, { pid }: Pick<Identity, 'pid'>): unknown => {
        const { agent: id, rule, proof, verdict } = jobWith(look, pid);
        return [agentName(id, rule), proof, verdict.state];
      };
      const look = await scan(stage);
      expect([kimi, merlin, ...left].map((one) => shown(look, one))).toEqual([
        ['Kimi Code', 'claimed', 'probable'],
        ['merlin', 'claimed', 'probable'],
        ['Gemini CLI', 'claimed', 'probable'],
      ]);
      expect((await reapOrphans(stage)).incidents).toEqual([]);
      await reapOrphans(stage, { ...patient, probable: true });
      expectGone(stage, [kimi, merlin, ...left]);
      expectUntouched(stage, innocents);
    }),
  );

  test(
    'of a living agent of no dossier has its name, and is not touched at any limit, nor after its end without a click',
    scene(async (stage) => {
      const kestrel = await stage.actor({ argv: ['kestrel', 'work'], setsid: true });
      const command = await marked(stage, kestrel, { AI_AGENT: 'kestrel@2.1' }, 4003);
      await lookBefore(stage);
      const innocents = [bystander(stage, 'the agent', kestrel.pid), bystander(stage, 'its command', command.pid)];
      expect((await reapOrphans(stage, { probable: true })).incidents).toEqual([]);
      expectUntouched(stage, innocents);
      await end(stage, kestrel);
      const { agent, rule } = jobWith(await scan(stage), command.pid);
      expect(agentName(agent, rule)).toBe('kestrel');
      expect((await reapOrphans(stage)).incidents).toEqual([]);
      expectUntouched(stage, innocents.slice(1));
    }),
  );
});
