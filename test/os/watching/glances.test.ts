import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, scan, startCurfew } from '../scene/curfew.ts';
import { pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

/** What a call of two seconds leaves between two looks that are half a minute apart. */
const shapes = {
  'keeps its output': 'sleep 3611 & sleep 2',
  'was forked twice': '(sleep 3612 >/dev/null 2>&1 &); sleep 2',
  'is deaf to HUP': 'nohup sleep 3613 </dev/null >/dev/null 2>&1 & sleep 2',
  'took a kernel session of its own': 'setsid nohup sleep 3614 </dev/null >/dev/null 2>&1 & sleep 2',
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
      const left = await pinned(stage, 'sleep 3611', 'sleep 3612', 'sleep 3613', 'sleep 3614');
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
