import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { runCurfew } from '../scene/curfew.ts';
import { scene } from '../scene/scene.ts';
import { launchService, quick, writeSettings } from './running-service.ts';

const anHour = 3600;

describe.concurrent('what the user asks for', () => {
  test(
    'Keep postpones a limit, at most to the hard cap; undone, the limit counts again; every window sees it at once',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, backgroundMaxElapsedSeconds: 1, backgroundMaxElapsedSecondsHardCap: 7200 });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3710 | cat');
      const service = await launchService(stage);
      const window = await service.open();
      const other = await service.open();
      const { id: job, startedAt } = await window.job(call.shell.pid, ({ verdict }) => verdict.state === 'overdue');
      const { until } = await window.get('job.keep', { job, seconds: anHour });
      const shown = window.snapshot.jobs.find(({ id }) => id === job);
      expect(shown).toMatchObject({ verdict: { state: 'kept' } });
      // It counts in ticks: by the clock it may vary by a few milliseconds between scans.
      expect(Math.abs(Date.parse(shown?.keptUntil ?? '') - Date.parse(until))).toBeLessThan(1000);
      await other.job(call.shell.pid, ({ verdict }) => verdict.state === 'kept');
      await window.get('job.unkeep', { job });
      expect(window.snapshot.jobs.find(({ id }) => id === job)).toMatchObject({
        keptUntil: null,
        verdict: { state: 'overdue' },
      });
      const most = await window.get('job.keep', { job, seconds: 100 * anHour });
      // Ages come from ticks, so the start may vary by a few milliseconds between scans.
      expect(Math.abs(Date.parse(most.until) - Date.parse(startedAt) - 7_200_000)).toBeLessThan(1000);
      expect(await window.refusal('job.keep', { job: 'abcd1234', seconds: 60 })).toMatchObject({ code: 'not-found' });
      expect(await window.refusal('job.keep', { job, host: 'build-box', seconds: 60 })).toMatchObject({
        code: 'not-found',
      });
      await service.stop();
    }),
  );

  test(
    'Never end for this project or command takes effect at once, is stored in the shared settings, and can be undone one by one',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, backgroundMaxElapsedSeconds: 1, exemptions: [{ port: 4000 }] });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3711 | cat');
      const service = await launchService(stage);
      const window = await service.open();
      const { id: job } = await window.job(call.shell.pid, ({ verdict }) => verdict.state === 'overdue');
      const state = (): string | undefined => window.snapshot.jobs.find(({ id }) => id === job)?.verdict.state;
      const command = await window.get('job.exempt', { job, scope: 'command' });
      expect(state()).toBe('kept');
      expect(await window.get('job.exempt', { job, scope: 'command' })).toEqual(command);
      const project = await window.get('job.exempt', { job, scope: 'project' });
      expect(window.snapshot.settings.values.exemptions).toEqual([
        { port: 4000, createdAt: new Date(0).toISOString() },
        { command: 'sleep 3711 | cat', ...command },
        { project: claude.project, ...project },
      ]);
      expect((await runCurfew(stage, ['settings', 'get', 'exemptions'])).stdout).toContain(project.createdAt);
      await window.get('settings.unexempt', command);
      expect(state()).toBe('kept');
      await window.get('settings.unexempt', project);
      expect(state()).toBe('overdue');
      await window.get('settings.unexempt', { createdAt: new Date(0).toISOString() });
      expect(window.snapshot.settings.values.exemptions).toEqual([]);
      expect(await window.refusal('settings.unexempt', project)).toMatchObject({ code: 'not-found' });
      await service.stop();
    }),
  );

  test(
    'settings are previewed on current jobs, refused at the field, applied at the next scan, also when another program changed them',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, backgroundMaxElapsedSeconds: 600, atMaxElapsed: 'notify' });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3712 | cat');
      const service = await launchService(stage);
      const window = await service.open();
      const { id: job } = await window.job(call.shell.pid, ({ startedAt }) => {
        const { lastLookAt } = window.snapshot.health;
        return lastLookAt !== null && Date.parse(lastLookAt) - Date.parse(startedAt) >= 2000;
      });
      const changes = { backgroundMaxElapsedSeconds: 1 };
      const preview = await window.get('settings.preview', { changes });
      expect(preview).toMatchObject({
        jobs: 1,
        changed: [{ job, before: { state: 'within' }, after: { state: 'overdue', action: 'notify' } }],
      });
      expect(window.snapshot.settings.values.backgroundMaxElapsedSeconds).toBe(600);
      expect((await window.get('settings.preview', { changes: { noticeSeconds: 5 } })).changed).toEqual([]);

      for (const name of ['settings.change', 'settings.preview'] as const) {
        const refusal = await window.refusal(name, { changes: { noticeSeconds: -1, nonsense: true } });
        expect(refusal.code).toBe('invalid');
        expect(refusal.fields.map(({ path }) => path)).toEqual(['changes.noticeSeconds', 'changes.nonsense']);
      }
      const state = await window.get('settings.change', { changes });
      expect(state.values.backgroundMaxElapsedSeconds).toBe(1);
      expect(window.snapshot.jobs[0]?.verdict.state).toBe('overdue');
      await window.get('settings.change', { changes: { backgroundMaxElapsedSeconds: null } });
      expect(window.snapshot.settings.values.backgroundMaxElapsedSeconds).toBe(1800);
      expect(await runCurfew(stage, ['settings', 'set', 'backgroundMaxElapsedSeconds', '1'])).toMatchObject({
        code: 0,
      });
      await window.job(call.shell.pid, ({ verdict }) => verdict.state === 'overdue');

      stage.write('/tmp/curfew-home/settings.json', '{ "mode": "enforce", "exemptions": 7 }');
      const bad = await window.until('the bad settings are told', ({ health }) =>
        health.problems.find(({ code }) => code === 'settings'),
      );
      expect(bad).toMatchObject({ severity: 'failure' });
      expect(window.snapshot.mode).toBe('observe');
      await service.stop();
    }),
  );

  test(
    'the mode is asked once; a pause stops automatic endings and notices but not the user’s Reap, and outlives a restart',
    scene(async (stage) => {
      writeSettings(stage, {
        noticeSeconds: 0,
        scanIntervalSeconds: 0.5,
        backgroundKillGraceSeconds: 2,
        orphanGraceSeconds: 0,
      });
      const claude = await FakeClaude.start(stage);
      const leftover = await claude.bash('sleep 3713 | cat');
      const unwanted = await claude.bash('sleep 3714 | cat');
      const service = await launchService(stage);
      const window = await service.open();
      expect(window.snapshot).toMatchObject({ mode: 'observe', modeChosen: false, pausedUntil: null });
      await window.get('watch.pause', { seconds: anHour });
      const until = window.snapshot.pausedUntil;
      expect(until).not.toBeNull();
      await window.get('mode.set', { mode: 'enforce' });
      expect(window.snapshot).toMatchObject({ mode: 'enforce', modeChosen: true, pausedUntil: until });
      await claude.crash();
      const due = await window.job(leftover.shell.pid, ({ verdict }) => verdict.state === 'orphaned');
      await window.until('some more looks', ({ revision }) => revision > 12);
      expect(stage.lives(leftover.shell)).toBe(true);
      expect(window.told).toEqual([]);
      const { id } = await window.job(unwanted.shell.pid);
      await window.get('job.reap', { job: id });
      await window.until('it has ended', ({ reapings }) => reapings.some(({ phase }) => phase === 'ended'));
      expect(stage.lives(unwanted.shell)).toBe(false);
      await service.stop();

      const again = await launchService(stage);
      const next = await again.open();
      expect(next.snapshot).toMatchObject({ pausedUntil: until, mode: 'enforce' });
      expect((await runCurfew(stage, ['hook', 'pass'])).code).toBe(0);
      await next.until('some looks', ({ revision }) => revision > 6);
      expect(stage.lives(leftover.shell)).toBe(true);
      await next.get('watch.resume', {});
      expect(next.snapshot.pausedUntil).toBeNull();
      await next.until('it is ended by itself', ({ incidents }) =>
        incidents.find(({ job, decidedBy }) => job === due.id && decidedBy === 'rule'),
      );
      expect(stage.lives(leftover.shell)).toBe(false);
      await next.get('watch.pause', { seconds: null });
      expect(next.snapshot.pausedUntil).toBe('forever');
      await again.stop();
      const last = await launchService(stage);
      expect((await last.open()).snapshot.pausedUntil).toBeNull();
      await last.stop();
    }),
  );
});
