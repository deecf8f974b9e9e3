import { describe, expect, test } from 'vitest';
import { scan, startCurfew } from '../scene/curfew.ts';
import { bystander, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { ServingAgent, type ServerStyle } from '../scene/servers.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';
import { expectEnded, reapNow } from './expectations.ts';

const styles = ['pi', 'no-dossier'] as const;

const serversOf = async (stage: Scene, style: ServerStyle): Promise<readonly [ServingAgent, readonly Identity[]]> => {
  const agent = await ServingAgent.start(stage, style);
  const processes: Identity[] = [];
  for (const habit of ['deaf', 'wrapped', 'browser'] as const)
    processes.push(...agent.tree((await agent.serve(habit)).pid));
  return [agent, processes];
};

/** Everything is past its limit at once, and nothing is spared for being at work. */
const low = {
  mode: 'enforce',
  atMaxElapsed: 'reap',
  backgroundMaxElapsedSeconds: 1,
  noticeSeconds: 0,
  orphanGraceSeconds: 0,
  scanIntervalSeconds: 1,
} as const;

describe.concurrent('servers with kernel sessions of their own', () => {
  for (const style of styles) {
    test(
      `of a living agent (${style}) are touched by no pass, whatever the limits`,
      scene(async (stage) => {
        const [agent, processes] = await serversOf(stage, style);
        writeSettings(stage, low);
        const innocents = processes.map((one) => bystander(stage, 'a server', one.pid));
        expect((await reapNow(stage)).incidents).toEqual([]);
        for (const kind of ['task', 'server', 'service'])
          expect((await reapNow(stage, '--kind', kind)).incidents).toEqual([]);
        expectUntouched(stage, [...innocents, bystander(stage, 'the agent', agent.actor.pid)]);
        const ids = new Set(processes.map(({ pid }) => pid));
        const shown = (await scan(stage)).jobs.filter(({ members }) => members.some(({ pid }) => ids.has(pid)));
        expect(shown).toEqual([]);
        const all = (await scan(stage, ['--all'])).jobs.filter(({ members }) =>
          members.some(({ pid }) => ids.has(pid)),
        );
        expect(all.map(({ kind, owner }) => `${kind} ${owner}`)).toEqual(all.map(() => 'server live'));
        expect(new Set(all.flatMap(({ members }) => members.map(({ pid }) => pid)))).toEqual(ids);
      }),
    );
  }

  test(
    'of a living agent outlive a watch past every limit, also one that starts again',
    scene(async (stage) => {
      const [, ofPi] = await serversOf(stage, 'pi');
      const [, ofUnknown] = await serversOf(stage, 'no-dossier');
      const innocents = [...ofPi, ...ofUnknown].map((one) => bystander(stage, 'a server', one.pid));
      writeSettings(stage, low);
      for (let starts = 0; starts < 2; starts += 1) {
        const watch = await startCurfew(stage, ['watch', '--json']);
        await afterLooks(stage, watch, 4);
        await watch.signal('TERM');
        await watch.ended();
        expectUntouched(stage, innocents);
      }
    }),
  );

  test(
    'of pi are ended after its end where a look saw them below it, and no others',
    scene(async (stage) => {
      const [, others] = await serversOf(stage, 'pi');
      const agent = await ServingAgent.start(stage, 'pi');
      const { pid } = await agent.serve('wrapped');
      const processes = agent.tree(pid);
      await scan(stage);
      await agent.crash();
      await expectEnded(
        stage,
        agent,
        processes,
        others.map((one) => bystander(stage, 'a server of a living session', one.pid)),
      );
    }),
  );

  for (const style of styles)
    test(
      `of ${style} are left after its end where no look saw them below it`,
      scene(async (stage) => {
        const agent = await ServingAgent.start(stage, style);
        const { pid } = await agent.serve('wrapped');
        const processes = agent.tree(pid);
        await agent.crash();
        const innocents = processes.map((one) => bystander(stage, 'what no look saw', one.pid));
        expect((await reapNow(stage)).incidents).toEqual([]);
        expectUntouched(stage, innocents);
      }),
    );
});
