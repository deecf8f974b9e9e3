import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { curfewFile } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';
import { installServer } from './claude-with-mcp.ts';
import { realAgents } from './kinds.ts';
import { missingOf, startModel, withAgents } from './session.ts';
import { playWaiting, waitsOf, type Way } from './waiting.ts';

const [kind] = realAgents;
const missing = kind === undefined ? 'it is not in the list' : missingOf(kind);

describe('a model that waits for its job', () => {
  test.skipIf(missing !== null || !existsSync(curfewFile))(
    'asks once with wait_for_my_job, and again and again with polls',
    scene(async (stage) => {
      await startModel(stage);
      await installServer(stage);
      const job = 'until [ -e /tmp/scene/over ]; do sleep 0.2; done';
      // Longer than a look takes on a busy machine.
      const limit = { MCP_TOOL_TIMEOUT: '30000' };
      const patience = 240;
      const plays = Promise.all([
        playWaiting(stage, 'waits', 'wait_for_my_job', { job, patience }),
        playWaiting(stage, 'cut', 'wait_for_my_job', { job, env: limit, patience }),
        playWaiting(stage, 'polls', 'sleep and look', { job, patience }),
      ]);
      const again = (name: string, way: Way): Promise<unknown> =>
        stage.until(`${name} has asked again`, () => waitsOf(stage, name, way) > 1, patience);
      await Promise.race([plays, Promise.all([again('cut', 'wait_for_my_job'), again('polls', 'sleep and look')])]);
      stage.write('/tmp/scene/over', '');
      const [once, cut, polls] = await plays;
      expect(once.requests).toBe(1);
      // A client that gives up after 30 s: its model is told before how to go on.
      expect(cut.said).toContain('Call wait_for_my_job again');
      expect(cut.said).not.toMatch(/timed out|no response/u);
      expect(polls.requests).toBeGreaterThan(once.requests);
    }, withAgents),
  );
});
