import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, reapOrphans, scan, startCurfew } from '../scene/curfew.ts';
import { expectGone } from '../scene/innocents.ts';
import { pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { ServingAgent } from '../scene/servers.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

/** What a call of two seconds leaves between two looks that are half a minute apart. */
const shapes = {
  'keeps its output': 'sleep 3611 & sleep 2',
  'was forked twice': '(sleep 3612 >/dev/null 2>&1 &); sleep 2',
  'is deaf to HUP': 'nohup sleep 3613 </dev/null >/dev/null 2>&1 & sleep 2',
  'took a kernel session of its own': 'setsid nohup sleep 3614 </dev/null >/dev/null 2>&1 & sleep 2',
  'came after a server of its call':
    'perl -MIO::Socket -e \'$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:5440"); sleep 3600\' >/dev/null 2>&1 & sleep 2; nohup sleep 3615 </dev/null >/dev/null 2>&1 & sleep 2',
} as const;

describe.concurrent('what a call leaves between two looks', () => {
  test(
    'was seen below its agent by the glances of watch, and is ended as proved',
    scene(async (stage) => {
      writeSettings(stage, { scanIntervalSeconds: 30, mode: 'observe' });
      const claude = await FakeClaude.start(stage);
      const watch = await startCurfew(stage, ['watch', '--json']);
      await afterLooks(stage, watch, 1);
      for (const command of Object.values(shapes)) await claude.foreground(command);
      const left = await pinned(stage, 'sleep 3611', 'sleep 3612', 'sleep 3613', 'sleep 3614', 'sleep 3615');
      await claude.crash();
      await afterLooks(stage, watch, 1);
      const look = await scan(stage);
      await watch.signal('TERM');
      await watch.ended();
      expect(left.map(({ pid }) => jobWith(look, pid)).map(({ proof, owner }) => [proof, owner])).toEqual(
        left.map(() => ['look', 'gone']),
      );
    }),
  );

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
        const look = await scan(stage);
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
