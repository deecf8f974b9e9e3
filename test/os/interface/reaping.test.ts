import { inEnglish } from '../../../app/text/say.ts';
import { describe, expect, test } from 'vitest';
import { FakeClaude } from '../scene/claude.ts';
import { history } from '../scene/curfew.ts';
import { expectUntouched, innocent } from '../scene/innocents.ts';
import { livingSession, pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { launchService, quick, writeSettings } from './running-service.ts';

describe.concurrent('a job that the user watches', () => {
  test(
    'becomes orphaned and overdue in the snapshot without a request',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, orphanGraceSeconds: 0, backgroundMaxElapsedSeconds: 4 });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3700 | cat');
      const service = await launchService(stage);
      const window = await service.open();
      expect(window.snapshot).toMatchObject({ modeChosen: true, mode: 'observe', platform: { system: 'linux' } });
      const young = await window.job(call.shell.pid);
      expect(young).toMatchObject({ host: 'local', agent: 'claude-code', command: 'sleep 3700 | cat' });
      await window.job(call.shell.pid, ({ verdict }) => verdict.state === 'overdue');
      expect(window.snapshot.watched).toContainEqual({ agent: 'claude-code', liveSessions: 1 });
      await claude.crash();
      const orphan = await window.job(call.shell.pid, ({ verdict }) => verdict.state === 'orphaned');
      expect(orphan).toMatchObject({ id: young.id, owner: 'gone', verdict: { action: 'notify' } });
      const noticed = window.told.filter(({ kind }) => kind === 'noticed');
      expect(noticed.length).toBeGreaterThan(0);
      await service.stop();
      expect(stage.lives(call.shell)).toBe(true);
    }),
  );

  test(
    'Reap ends one that ignores TERM: each phase is published, and the record says what decided',
    scene(async (stage) => {
      // Long enough for a second window to ask meanwhile.
      writeSettings(stage, { ...quick, backgroundKillGraceSeconds: 8 });
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash("trap '' TERM; sleep 3701 | cat; true");
      const processes = [call.shell, ...(await pinned(stage, 'sleep 3701'))];
      const service = await launchService(stage);
      const window = await service.open();
      const other = await service.open();
      const job = await window.job(call.shell.pid, ({ members }) => members.length === 3);
      const { reaping: id } = await window.get('job.reap', { job: job.id });
      expect(await other.refusal('job.reap', { job: job.id })).toMatchObject({ code: 'busy' });
      const ended = await window.until('the reaping ended', ({ reapings }) =>
        reapings.find((one) => one.id === id && one.phase === 'ended'),
      );
      expect(ended).toMatchObject({ outcome: 'killed', left: 0, processes: 3, problem: null, signal: 'KILL' });
      expect(ended.freed?.processes).toBe(3);
      const seen = window.states.flatMap(({ reapings }) => reapings.filter((one) => one.id === id));
      const phases = [...new Set(seen.map(({ phase }) => phase))];
      expect(phases).toEqual(['asked', 'killing', 'ended'].filter((phase) => phases.includes(phase as 'asked')));
      expect(phases).toContain('asked');
      const graces = new Set(seen.filter(({ phase }) => phase === 'asked').map(({ graceEndsAt }) => graceEndsAt));
      expect([...graces].map((moment) => moment !== null)).toEqual([true]);
      expect(processes.map((each) => stage.lives(each))).toEqual([false, false]);
      await window.until('the job is gone', ({ jobs }) => jobs.every((one) => one.id !== job.id));
      expect(window.snapshot.incidents[0]).toMatchObject({ id, decidedBy: 'person', outcome: 'killed' });
      await other.until('the other window knows too', ({ incidents }) => incidents.some((one) => one.id === id));
      expect(await window.get('job.details', { job: job.id })).toMatchObject({ id: job.id });
      expectUntouched(stage, innocents);
      await service.stop();
      expect((await history(stage)).map(({ decidedBy, outcome }) => [decidedBy, outcome])).toEqual([
        ['person', 'killed'],
      ]);
    }),
  );

  test(
    'all leftovers are ended with one request, by the same rules: what is protected or changed is named, a living session stays',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, orphanGraceSeconds: 3600 });
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const one = await claude.bash('sleep 3731 | cat');
      const two = await claude.bash('sleep 3732 | cat');
      const kept = await claude.bash('CURFEW_KEEP=1 sleep 3733 | cat');
      const service = await launchService(stage);
      const window = await service.open();
      for (const call of [one, two, kept]) await window.job(call.shell.pid);
      await claude.crash();
      const left = [
        // From the first look on that finds the session closed, an hour before its grace is over.
        await window.job(one.shell.pid, ({ verdict }) => verdict.state === 'orphaned'),
        await window.job(two.shell.pid, ({ verdict }) => verdict.state === 'orphaned'),
      ];
      expect(left.map(({ owner, verdict }) => [owner, verdict.action])).toEqual([
        ['gone', 'none'],
        ['gone', 'none'],
      ]);
      const spared = await window.job(kept.shell.pid, ({ verdict }) => verdict.state === 'protected');
      const jobs = [...left, spared, { id: 'abcd1234' }].map(({ id }) => ({ job: id, host: 'local' }));
      const { begun, refused } = await window.get('job.reapAll', { jobs });
      expect(begun + refused.length).toBe(4);
      expect(refused.map(({ job }) => job)).toContain('abcd1234');
      await window.until('both leftovers are gone', ({ jobs: now }) =>
        now.every(({ id }) => left.every((was) => was.id !== id)),
      );
      expect([one, two].map(({ shell }) => stage.lives(shell))).toEqual([false, false]);
      expect(stage.lives(kept.shell)).toBe(true);
      expectUntouched(stage, innocents);
      await service.stop();
      const decided = (await history(stage)).map(({ decidedBy, outcome }) => `${decidedBy} ${outcome}`);
      expect(decided.filter((text) => text === 'person reaped')).toHaveLength(2);
    }),
  );

  test(
    'End now ends the grace period, and the record says so',
    scene(async (stage) => {
      writeSettings(stage, { ...quick, backgroundKillGraceSeconds: 300 });
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash("trap '' TERM; sleep 3702 | cat; true");
      const service = await launchService(stage);
      const window = await service.open();
      const job = await window.job(call.shell.pid, ({ members }) => members.length === 3);
      const { reaping } = await window.get('job.reap', { job: job.id });
      expect(stage.lives(call.shell)).toBe(true);
      await window.get('job.killNow', { reaping });
      await window.until('it has ended', ({ reapings }) => reapings.some((one) => one.phase === 'ended'));
      expect(stage.lives(call.shell)).toBe(false);
      const incident = await window.get('history.incident', { id: reaping });
      expect(incident).toMatchObject({ outcome: 'killed', decidedBy: 'person', graceSeconds: 300 });
      const order = incident.events.map((event) => (event.kind === 'signal' ? event.signal.signal : event.kind));
      expect(order.indexOf('note')).toBeLessThan(order.indexOf('KILL'));
      expect(order.indexOf('note')).toBeGreaterThan(order.indexOf('TERM'));
      expect(await window.refusal('job.killNow', { reaping })).toMatchObject({ code: 'not-found' });
      await service.stop();
    }),
  );

  test(
    'a veto stops Reap and says why; nothing is signalled, and the attempt is recorded',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const claude = await FakeClaude.start(stage);
      const bot = await innocent(stage, {
        argv: ['node', 'bot.js'],
        cwd: claude.project,
        parent: claude.actor,
        env: { ...claude.environment(), CURFEW_KEEP: '1' },
        setsid: true,
      });
      const service = await launchService(stage);
      const window = await service.open();
      const job = await window.job(bot.identity.pid);
      expect(job.verdict.state).toBe('protected');
      const failure = await window.refusal('job.reap', { job: job.id });
      expect(failure.code).toBe('vetoed');
      expect(inEnglish(failure.message)).toContain('CURFEW_KEEP=1');
      expectUntouched(stage, [bot]);
      await service.stop();
      expect((await history(stage)).map(({ outcome }) => outcome)).toEqual(['spared']);
    }),
  );
});
