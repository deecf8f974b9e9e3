import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reapOrphans, scan, startCurfew } from '../scene/curfew.ts';
import { expectGone } from '../scene/innocents.ts';
import { pidsOf, pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { ServingAgent } from '../scene/servers.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

describe.concurrent('what a call leaves between two looks', () => {
  test(
    'is ended with the last process of an agent that marks nothing, whose servers and other calls stay until then',
    scene(async (stage) => {
      writeSettings(stage, { scanIntervalSeconds: 30, mode: 'observe' });
      const [dead, living] = [await ServingAgent.start(stage, 'kimi'), await ServingAgent.start(stage, 'kimi')];
      const watch = await startCurfew(stage, ['watch', '--json']);
      await afterLooks(stage, watch, 1);
      await dead.call('sleep 3621 </dev/null >/dev/null 2>&1 & sleep 2');
      await living.call('nohup sleep 3622 </dev/null >/dev/null 2>&1 & sleep 2');
      const server = await living.serve('deaf');
      const left = await pinned(stage, 'sleep 3621', 'sleep 3622');
      const said = async () => {
        await afterLooks(stage, watch, 1);
        let look = await scan(stage);
        // That look may have begun before the call that left the second one was seen.
        if (!left.every(({ pid }) => pidsOf(look.jobs).has(pid))) {
          await afterLooks(stage, watch, 1);
          look = await scan(stage);
        }
        return left.map(({ pid }) => jobWith(look, pid)).map(({ agent, proof, owner }) => [agent, proof, owner]);
      };
      await dead.crash();
      expect(await said()).toEqual([
        ['kimi', 'look', 'unknown'],
        ['kimi', 'look', 'live'],
      ]);
      await reapOrphans(stage);
      for (const one of [...left, server]) expect(stage.lives(one)).toBe(true);
      await living.crash();
      expect(await said()).toEqual([
        ['kimi', 'look', 'gone'],
        ['kimi', 'look', 'gone'],
      ]);
      await watch.signal('TERM');
      await watch.ended();
      await reapOrphans(stage);
      expectGone(stage, left);
    }),
  );

  test(
    'is proved by one look where it still writes to the file that its call removed, and only claimed where not',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      await claude.foreground('sleep 3611 & true');
      await claude.foreground('sleep 3612 >/dev/null 2>&1 & true');
      const left = await pinned(stage, 'sleep 3611', 'sleep 3612');
      await claude.crash();
      const look = await scan(stage);
      expect(left.map(({ pid }) => jobWith(look, pid).proof)).toEqual(['output', 'claimed']);
    }),
  );
});
