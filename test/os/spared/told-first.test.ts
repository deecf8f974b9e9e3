import { describe, expect, test } from 'vitest';
import { history, jobWith, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

const quick = { scanIntervalSeconds: 0.5, backgroundKillGraceSeconds: 1, orphanGraceSeconds: 0 };

describe.concurrent('the user is warned first', () => {
  test(
    'a leftover is announced, shown with a countdown, and ended when the notice is over',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, noticeSeconds: 15 });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      const watch = await startCurfew(stage, ['watch', '--enforce', '--json']);
      await afterLooks(stage, watch, 3);
      await claude.crash();
      await stage.until('it is announced', () => watch.stdout().includes('"event":"noticed"'));
      expect(stage.lives(call.shell)).toBe(true);
      const { verdict } = jobWith(await scan(stage), call.shell.pid);
      expect(verdict.state).toBe('orphaned');
      await stage.until('the leftover is gone', () => !stage.lives(call.shell));
      await stage.until('the end is told', () => watch.stdout().includes('"event":"ended"'));
      const [incident] = await history(stage);
      expect(JSON.stringify(incident?.reasons)).toContain('notice-given');
      await watch.signal('INT');
      expect(await watch.ended()).toMatchObject({ code: 0 });
    }),
  );

  test(
    'a leftover that is kept after the announcement stays',
    scene(async (stage) => {
      // A busy machine needs some of it for the scan and for what is said here.
      writeSettings(stage, { ...quick, noticeSeconds: 20 });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      const watch = await startCurfew(stage, ['watch', '--enforce', '--json']);
      await afterLooks(stage, watch, 3);
      await claude.crash();
      await stage.until('it is announced', () => watch.stdout().includes('"event":"noticed"'));
      const { id } = jobWith(await scan(stage), call.shell.pid);
      expect(await runCurfew(stage, ['keep', id, '--for', '30m'])).toMatchObject({ code: 0 });
      // Longer than the notice: there are at most two looks a second.
      for (const looks of [25, 25]) await afterLooks(stage, watch, looks);
      expect(stage.lives(call.shell)).toBe(true);
      expect(await history(stage)).toEqual([]);
      await watch.signal('INT');
    }),
  );

  test(
    'the grace of a leftover counts from the end of its session, at any age of the leftover',
    scene(async (stage) => {
      const graceSeconds = 20;
      writeSettings(stage, { ...quick, orphanGraceSeconds: graceSeconds });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      const watch = await startCurfew(stage, ['watch', '--enforce', '--json']);
      const job = async () => jobWith(await scan(stage), call.shell.pid);
      await stage.until('it is older than the grace', async () => (await job()).ageSeconds > graceSeconds);
      await claude.crash();
      await stage.until('it is left over, within the grace', async () => {
        const { verdict } = await job();
        return verdict.state === 'orphaned' && verdict.reasons.some(({ code }) => code === 'within-orphan-grace');
      });
      expect(stage.lives(call.shell)).toBe(true);
      const reaped = await runCurfew(stage, ['reap', '--max-age', '0']);
      expect(reaped.code).toBe(0);
      await stage.until('the command ends it at once', () => !stage.lives(call.shell));
      await watch.signal('INT');
    }),
  );

  test(
    'choosing enforce says on standard error what it ends now, and sets it',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, noticeSeconds: 60 });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      await claude.crash();
      const { id } = jobWith(await scan(stage), call.shell.pid);
      const set = await runCurfew(stage, ['settings', 'set', 'mode', 'enforce']);
      expect(set).toMatchObject({ code: 0, stdout: 'mode is enforce\n' });
      expect(set.stderr).toContain(id);
      expect(set.stderr).toContain('sleep 3600 | cat');
      expect((await runCurfew(stage, ['settings', 'set', 'mode', 'enforce'])).stderr).toBe('');
      expect(stage.lives(call.shell)).toBe(true);
    }),
  );
});
