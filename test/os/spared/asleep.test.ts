import { describe, expect, test } from 'vitest';
import { history, jobWith, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

/**
 * Shifts the scene's clock of start times eight hours ahead, as after a night with the lid closed;
 * CLOCK_MONOTONIC stays. Start times of running processes are unchanged.
 */
const sleepThroughTheNight = async (stage: Scene): Promise<void> => {
  const script = `
: >/tmp/real; mount --bind /proc/uptime /tmp/real
ahead() { read -r up idle </tmp/real; echo "$(( \${up%.*} + 28800 )).\${up#*.} $idle" >/tmp/slept; }
ahead; mount --bind /tmp/slept /proc/uptime; : >/tmp/asleep
while :; do ahead; sleep 0.1; done`;
  stage.write('/tmp/slept', '');
  await stage.first.begin({
    file: '/bin/sh',
    argv: ['sh', '-c', script],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    cwd: '/',
    setsid: true,
    fds: {},
  });
  await stage.until('the night is over', () => stage.read('/proc/uptime') === stage.read('/tmp/slept'));
};

const settings = {
  scanIntervalSeconds: 0.5,
  backgroundKillGraceSeconds: 1,
  orphanGraceSeconds: 600,
  backgroundMaxElapsedSeconds: 1800,
  backgroundMaxElapsedSecondsHardCap: 14_400,
};

describe.concurrent('a night with the lid closed ends nothing', () => {
  test(
    'jobs of an open session and fresh leftovers are not older in the morning',
    scene(async (stage) => {
      writeSettings(stage, settings);
      const living = await FakeClaude.start(stage);
      const kept = await living.bash('sleep 3600 | cat');
      const claude = await FakeClaude.start(stage);
      const left = await claude.bash('sleep 3601 | cat');
      const watch = await startCurfew(stage, ['watch', '--enforce', '--json']);
      await afterLooks(stage, watch, 3);
      await claude.crash();
      await afterLooks(stage, watch, 3);
      await sleepThroughTheNight(stage);
      await afterLooks(stage, watch, 10);
      expect([kept, left].map(({ shell }) => stage.lives(shell))).toEqual([true, true]);
      const seen = await scan(stage);
      expect(jobWith(seen, kept.shell.pid).verdict).toMatchObject({ state: 'within', action: 'none' });
      expect(jobWith(seen, left.shell.pid).verdict).toMatchObject({ state: 'orphaned', action: 'none' });
      expect(await history(stage)).toEqual([]);
      await watch.signal('INT');
      expect(await watch.ended()).toMatchObject({ code: 0 });
      // A new supervisor knows about the night.
      const again = await startCurfew(stage, ['watch', '--enforce', '--json']);
      await afterLooks(stage, again, 10);
      expect([kept, left].map(({ shell }) => stage.lives(shell))).toEqual([true, true]);
      await again.signal('INT');
    }),
  );
});
