import { describe, expect, test } from 'vitest';
import { moveToBackground } from '../scene/background-session.ts';
import { FakeClaude } from '../scene/claude.ts';
import { history } from '../scene/curfew.ts';
import { callHook, installHooks } from '../scene/hooks.ts';
import { expectUntouched } from '../scene/innocents.ts';
import { livingSession, pinned } from '../scene/outcome.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { writeSettings } from '../scene/watching.ts';

/** Hooks, enforce mode, and no supervisor. */
const unsupervised = async (stage: Scene): Promise<void> => {
  await installHooks(stage);
  writeSettings(stage, { mode: 'enforce' });
};

/**
 * True if a pass runs, or was started and has not begun yet: it may still be the shell that becomes
 * it.
 */
const isPassing = (stage: Scene): boolean =>
  stage.has('/tmp/curfew-home/hooks/pass.starting') ||
  stage.table().some(({ argv }) => argv.slice(-2).join(' ') === 'hook pass');

/** Waits until the passes that hooks started are over. */
const afterPasses = async (stage: Scene): Promise<void> => {
  await stage.until('no pass is at work', () => !isPassing(stage), 100);
};

describe.concurrent('a session that reports its end while no supervisor runs', () => {
  test(
    'two at once: the leftovers of each are ended once, and nothing else',
    scene(async (stage) => {
      await unsupervised(stage);
      const innocents = await livingSession(stage);
      const sessions = await Promise.all(
        ['one', 'two'].map(async (name) => FakeClaude.start(stage, { project: `${stage.home}/${name}` })),
      );
      for (const [index, claude] of sessions.entries()) {
        await callHook(stage, claude, 'session-start', { source: 'startup' });
        await claude.foregroundSeen(`setsid sh -c 'exec sleep 370${index}' >/dev/null 2>&1 </dev/null &`);
      }
      const left = await pinned(stage, 'sleep 3700', 'sleep 3701');
      await afterPasses(stage);
      await Promise.all(sessions.map(async (claude) => callHook(stage, claude, 'session-end', { reason: 'other' })));
      for (const claude of sessions) await claude.end();
      await stage.until('both are gone', () => left.every((each) => !stage.lives(each)), 100);
      await afterPasses(stage);
      expectUntouched(stage, innocents);
      const incidents = await history(stage);
      expect(incidents.map(({ decidedBy, outcome }) => `${decidedBy} ${outcome}`)).toEqual([
        'hook reaped',
        'hook reaped',
      ]);
      expect(new Set(incidents.map(({ session }) => session))).toEqual(new Set(sessions.map(({ session }) => session)));
    }),
  );

  test(
    'a session that moved to the background is spared',
    scene(async (stage) => {
      await unsupervised(stage);
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      await callHook(stage, claude, 'session-end', { reason: 'prompt_input_exit' });
      await moveToBackground(stage, claude);
      await afterPasses(stage);
      expect(stage.lives(call.shell)).toBe(true);
      expect(await history(stage)).toEqual([]);
    }),
  );

  test(
    'a starting session triggers a pass over leftovers of closed ones, and the next session is told',
    scene(async (stage) => {
      await unsupervised(stage);
      writeSettings(stage, { mode: 'enforce', orphanGraceSeconds: 0, backgroundKillGraceSeconds: 1 });
      const dead = await FakeClaude.start(stage);
      const call = await dead.bash('sleep 3600 | cat');
      await dead.crash();
      const next = await FakeClaude.start(stage, { project: dead.project });
      await callHook(stage, next, 'session-start', { source: 'startup' });
      await stage.until('the leftover is gone', () => !stage.lives(call.shell), 100);
      await afterPasses(stage);
      expect(await history(stage)).toMatchObject([{ decidedBy: 'rule', session: dead.session }]);
      expect(stage.contents('/tmp/curfew-home/hooks/notices').join('')).toContain('`sleep 3600 | cat`');
    }),
  );
});
