import { describe, expect, test } from 'vitest';
import { moveToBackground } from '../scene/background-session.ts';
import { FakeClaude } from '../scene/claude.ts';
import { type Running, history, runCurfew, startCurfew } from '../scene/curfew.ts';
import { callHook, installHooks } from '../scene/hooks.ts';
import { expectUntouched } from '../scene/innocents.ts';
import { livingSession, pinned } from '../scene/outcome.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

const leftover = "setsid sh -c 'exec sleep 3604' >/dev/null 2>&1 </dev/null &";

/** A watching Curfew in enforce mode with the default orphan grace: far longer than any test. */
const watching = async (stage: Scene): Promise<Running> => {
  await installHooks(stage);
  writeSettings(stage, { mode: 'enforce' });
  const watch = await startCurfew(stage, ['watch', '--json']);
  await afterLooks(stage, watch, 1);
  return watch;
};

describe.concurrent('a session that reports its end to a running supervisor', () => {
  test(
    'its leftovers are ended at any age, and nothing of another session is',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const watch = await watching(stage);
      const crashed = await FakeClaude.start(stage, { project: `${stage.home}/crashed` });
      await callHook(stage, crashed, 'session-start', { source: 'startup' });
      const silent = await crashed.bash('sleep 3701');
      const claude = await FakeClaude.start(stage);
      await callHook(stage, claude, 'session-start', { source: 'startup' });
      await claude.foregroundSeen(leftover);
      const [left] = await pinned(stage, 'sleep 3604');
      if (left === undefined) throw new Error('nothing was left');
      await callHook(stage, claude, 'stop');
      await crashed.crash();
      await callHook(stage, claude, 'session-end', { reason: 'other' });
      await claude.end();
      await stage.until('the leftover is gone', () => !stage.lives(left));
      await stage.until('the end is told', () => watch.stdout().includes('"event":"ended"'));
      expect(stage.lives(silent.shell)).toBe(true);
      expectUntouched(stage, innocents);
      const incidents = await history(stage);
      expect(incidents).toMatchObject([{ decidedBy: 'hook', outcome: 'reaped', session: claude.session }]);
    }),
  );

  test(
    'a session that moved to the background is spared',
    scene(async (stage) => {
      const watch = await watching(stage);
      const claude = await FakeClaude.start(stage);
      await callHook(stage, claude, 'session-start', { source: 'startup' });
      const call = await claude.bash('sleep 3600 | cat');
      await callHook(stage, claude, 'session-end', { reason: 'prompt_input_exit' });
      await moveToBackground(stage, claude);
      await afterLooks(stage, watch, 12);
      expect(stage.lives(call.shell)).toBe(true);
      expect(await history(stage)).toEqual([]);
    }),
  );

  test(
    'the end of a reply, of a conversation or of a session whose process lives on ends nothing',
    scene(async (stage) => {
      const watch = await watching(stage);
      const replied = await FakeClaude.start(stage, { project: `${stage.home}/replied` });
      const cleared = await FakeClaude.start(stage, { project: `${stage.home}/cleared` });
      const lingering = await FakeClaude.start(stage, { project: `${stage.home}/lingering` });
      const shells = [];
      for (const claude of [replied, cleared, lingering]) {
        await callHook(stage, claude, 'session-start', { source: 'startup' });
        shells.push((await claude.bash('sleep 3600 | cat')).shell);
      }
      await callHook(stage, replied, 'stop');
      await callHook(stage, cleared, 'session-end', { reason: 'clear' });
      await callHook(stage, lingering, 'session-end', { reason: 'other' });
      await replied.crash();
      await cleared.crash();
      await afterLooks(stage, watch, 12);
      expect(shells.map((shell) => stage.lives(shell))).toEqual([true, true, true]);
      expect(await history(stage)).toEqual([]);
    }),
  );

  test(
    'work that a killed supervisor had left is done by the next pass',
    scene(async (stage) => {
      const watch = await watching(stage);
      const claude = await FakeClaude.start(stage);
      await callHook(stage, claude, 'session-start', { source: 'startup' });
      await claude.foregroundSeen(leftover);
      const [left] = await pinned(stage, 'sleep 3604');
      if (left === undefined) throw new Error('nothing was left');
      await callHook(stage, claude, 'session-end', { reason: 'other' });
      await afterLooks(stage, watch, 1);
      await watch.signal('KILL');
      await watch.ended();
      await claude.end();
      const passes = await Promise.all([1, 2].map(async () => runCurfew(stage, ['hook', 'pass'])));
      expect(passes.map(({ code }) => code)).toEqual([0, 0]);
      expect(stage.lives(left)).toBe(false);
      expect(await history(stage)).toMatchObject([{ decidedBy: 'hook', outcome: 'reaped' }]);
    }),
  );
});
