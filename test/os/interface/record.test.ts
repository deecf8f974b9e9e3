import { rmSync } from 'node:fs';
import { inEnglish } from '../../../app/text/say.ts';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { scene } from '../scene/scene.ts';
import { launchService, quick, writeSettings } from './running-service.ts';

const everything = {};

describe.concurrent('the history', () => {
  test(
    'is available after a restart: latest, paged, summed up, whole, exported; and can be wiped',
    scene(async (stage) => {
      // All members obey TERM, and a slow machine must not cause KILL.
      writeSettings(stage, { ...quick, backgroundKillGraceSeconds: 60 });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('API_KEY=abc123secret sleep 3720 | cat');
      const service = await launchService(stage);
      const window = await service.open();
      const { id: job } = await window.job(call.shell.pid);
      const { reaping: id } = await window.get('job.reap', { job });
      await window.until('it is told', () => window.told.some(({ kind }) => kind === 'ended'));
      await service.signal('KILL');
      await service.ended();

      const again = await launchService(stage);
      const next = await again.open();
      expect(next.snapshot.incidents.map((one) => one.id)).toEqual([id]);
      const page = await next.get('history.page', { filter: everything, offset: 0, limit: 10 });
      expect(page).toMatchObject({ total: 1, offset: 0, incidents: [{ id, job, outcome: 'reaped' }] });
      expect(await next.get('history.page', { filter: { text: 'nothing' }, offset: 0, limit: 10 })).toMatchObject({
        total: 0,
      });
      const overview = await next.get('history.overview', { filter: { agent: 'codex' } });
      expect(overview).toMatchObject({ incidents: 0, agents: ['claude-code'], projects: [claude.project] });
      expect((await next.get('history.overview', { filter: everything })).bars).toHaveLength(1);
      const incident = await next.get('history.incident', { id });
      expect(incident).toMatchObject({ decidedBy: 'person', command: 'API_KEY=*** sleep 3720 | cat' });
      expect(await next.refusal('history.incident', { id: 'none' })).toMatchObject({ code: 'not-found' });
      for (const format of ['csv', 'json'] as const) {
        const exported = await next.get('history.export', { filter: everything, format });
        expect(exported.incidents).toBe(1);
        const text = exported.kind === 'file' ? stage.read(exported.path) : '';
        expect(text).toContain(id);
        expect(text).not.toContain('abc123secret');
      }
      expect(await next.get('history.wipe', { olderThan: null })).toEqual({ deleted: 1 });
      await next.until('nothing is shown any more', ({ incidents }) => incidents.length === 0);
      await again.stop();
      expect(stage.contents('/tmp/curfew-home').join('')).not.toContain('abc123secret');
    }),
  );

  test(
    'while it can’t be written Reap is refused and the health says why; once it can, Reap works',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3721 | cat');
      const service = await launchService(stage);
      const window = await service.open();
      const { id: job } = await window.job(call.shell.pid);
      // The next scan comes after all of this: one in between would create a new file.
      await service.signal('STOP');
      await stage.until('it stands still', () => stage.row(service.identity.pid)?.state === 'T');
      stage.move('/tmp/curfew-home/history.db', '/tmp/curfew-home/before.db');
      for (const companion of ['-wal', '-shm']) {
        rmSync(stage.outside(`/tmp/curfew-home/history.db${companion}`), { force: true });
      }
      stage.folder('/tmp/curfew-home/history.db');
      await service.signal('CONT');
      const refusal = await window.refusal('job.reap', { job });
      expect(refusal.code).toBe('journal');
      expect(inEnglish(refusal.advice ?? '')).toContain('/tmp/curfew-home/history.db');
      expect(stage.lives(call.shell)).toBe(true);
      await window.until('the health tells', ({ health }) => !health.journalWritable);
      expect(window.snapshot.health.problems.map(({ code }) => code)).toContain('journal');
      rmSync(stage.outside('/tmp/curfew-home/history.db'), { recursive: true });
      await window.until('it is well again', ({ health }) => health.journalWritable);
      await window.get('job.reap', { job });
      await window.until('it has ended', ({ reapings }) => reapings.some(({ phase }) => phase === 'ended'));
      expect(stage.lives(call.shell)).toBe(false);
      await service.stop();
    }),
  );

  test(
    'one supervisor per home: a second service is told which one runs; once the lock is removed the first one ends and says so',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const service = await launchService(stage);
      const window = await service.open();
      const second = await launchService(stage);
      expect(await second.ended()).toBe(1);
      expect(second.stderr()).toMatch(/SupervisionTaken: .*curfew web.*process \d+.*supervises here already/su);
      expect(second.stderr()).toContain(`process ${service.identity.pid}`);
      rmSync(stage.outside('/tmp/curfew-home/supervisor.lock'));
      await window.until('it is told', () => window.told.some(({ kind }) => kind === 'lost'));
      const third = await launchService(stage);
      expect((await third.open()).snapshot.jobs).toEqual([]);
      await third.stop();
    }),
  );
});
