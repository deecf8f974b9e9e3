import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, scan, startCurfew } from '../scene/curfew.ts';
import { pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { StageError } from '../scene/stage-error.ts';
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

/** Nothing is ended here, so a glance that a busy machine was late for may be played again. */
describe('what a call leaves between two looks', () => {
  test(
    'was seen below its agent by the glances of watch, and is proved',
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
      // On a busy machine a glance can come too late: what it missed is only claimed.
      const isMissed = left.some(({ pid }) => jobWith(look, pid).proof === 'claimed');
      if (isMissed) throw new StageError('waited in vain: a glance while each call went on');
      expect(left.map(({ pid }) => jobWith(look, pid)).map(({ proof, owner }) => [proof, owner])).toEqual(
        left.map(() => ['look', 'gone']),
      );
    }),
  );
});
