import { describe, expect, test } from 'vitest';
import { history, jobWith, runCurfew, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched, innocent, innocentProgram } from '../scene/innocents.ts';
import { livingSession, pinned } from '../scene/outcome.ts';
import { scene } from '../scene/scene.ts';
import { afterLooks, writeSettings } from '../scene/watching.ts';

const quick = { orphanGraceSeconds: 0, scanIntervalSeconds: 0.5, backgroundKillGraceSeconds: 1 };

describe.concurrent('curfew watch', () => {
  test(
    'watch --enforce ends the leftover of a session that dies meanwhile, records what decided, and ends cleanly on INT',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash("trap '' TERM; sleep 3600 | cat; true");
      const processes = [call.shell, ...(await pinned(stage, 'sleep 3600'))];
      const watch = await startCurfew(stage, ['watch', '--enforce', '--json']);
      await afterLooks(stage, watch, 3);
      expect(processes.map((each) => stage.lives(each))).toEqual([true, true]);
      await claude.crash();
      await stage.until('the leftover is gone', () => processes.every((each) => !stage.lives(each)));
      await stage.until('the end is told', () => watch.stdout().includes('"event":"ended"'));
      await watch.signal('INT');
      expect(await watch.ended()).toMatchObject({ code: 0 });
      expectUntouched(stage, innocents);
      const [incident, ...more] = await history(stage);
      expect(more).toEqual([]);
      expect(incident).toMatchObject({
        decidedBy: 'rule',
        outcome: 'killed',
        agent: 'claude-code',
        session: claude.session,
      });
      expect(stage.read(call.output ?? '')).toMatch(/curfew/i);
    }),
  );

  test(
    'until a mode is chosen it observes and says how to choose; a second supervisor names the first; TERM ends it; a KILL leaves no lock behind',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      await claude.crash();
      const watch = await startCurfew(stage, ['watch', '--json']);
      await afterLooks(stage, watch, 5);
      expect(watch.stderr()).toContain('curfew settings set mode enforce');
      expect(jobWith(await scan(stage), call.shell.pid).verdict.state).toBe('orphaned');
      const second = await runCurfew(stage, ['watch', '--enforce']);
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(String(watch.identity.pid));
      await watch.signal('TERM');
      expect(await watch.ended()).toMatchObject({ code: 0 });
      expect(stage.lives(call.shell)).toBe(true);
      expect(await history(stage)).toEqual([]);

      const killed = await startCurfew(stage, ['watch', '--json', '--observe']);
      await afterLooks(stage, killed, 1);
      await killed.signal('KILL');
      await killed.ended();
      const next = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await stage.until('the leftover is gone', () => !stage.lives(call.shell));
      await next.signal('TERM');
      expect(await next.ended()).toMatchObject({ code: 0 });
    }),
  );

  test(
    'early observations are kept when every trace is gone, even after a restart (ledger)',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await afterLooks(stage, watch, 1);
      // No markers, group, session or output file in common with its tool shell: only its parent
      // shows its origin.
      const trace = 'env -i setsid sleep 3613 </dev/null >/dev/null 2>&1 &';
      const call = await claude.bash(`${trace} until test -e /tmp/seen; do sleep 0.1; done`);
      const [stray] = await pinned(stage, 'sleep 3613');
      if (stray === undefined) throw new Error('nothing strayed');
      expect(stage.row(stray.pid)).toMatchObject({ sid: stray.pid, pgid: stray.pid });
      await afterLooks(stage, watch, 2);
      await watch.signal('KILL');
      await watch.ended();
      stage.write('/tmp/seen', '');
      await claude.actor.ended(call.shell.pid);
      expect(stage.row(stray.pid)?.ppid).toBe(stage.top.pid);
      const job = jobWith(await scan(stage), stray.pid);
      expect(job).toMatchObject({ session: claude.session, owner: 'live' });
      expect(job.members[0]?.by).toContain('ledger');
      const again = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await claude.end();
      await stage.until('the stray is gone', () => !stage.lives(stray));
      await again.signal('TERM');
      expect(await again.ended()).toMatchObject({ code: 0 });
      expectUntouched(stage, innocents);
    }),
  );

  test(
    'T04, T05, N02, N07, N13: at the max elapsed of an open session the silent task is announced and ended, the working one and the server stay',
    scene(async (stage) => {
      // Two scans without any work count as idle, and a busy machine may delay a worker for a
      // while.
      writeSettings(stage, { ...quick, scanIntervalSeconds: 1, backgroundMaxElapsedSeconds: 2, noticeSeconds: 2 });
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/node');
      const worker = innocentProgram(stage, `${claude.project}/orchestrator.js`, { bursts: true });
      const server = innocentProgram(stage, `${claude.project}/server.js`, { port: 3000 });
      const working = await claude.bash('node orchestrator.js > /dev/null; true');
      const serving = await claude.bash('node server.js; true');
      const silent = await claude.bash('until false; do sleep 3614; done', { input: 'socket' });
      const reading = await claude.bash('mkfifo never; cat <> never | tail -3');
      const kept = await claude.bash('sleep 3615 | cat');
      const { id } = jobWith(await scan(stage), kept.shell.pid);
      expect(await runCurfew(stage, ['keep', id, '--for', '1h'])).toMatchObject({ code: 0 });
      const innocents = [
        await worker.ready(),
        await server.ready(),
        bystander(stage, 'the shell that works', working.shell.pid),
        bystander(stage, 'the shell that serves', serving.shell.pid),
        bystander(stage, 'the kept shell', kept.shell.pid),
        bystander(stage, 'the agent', claude.actor.pid),
      ];
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await stage.until('the silent ones are gone', () => [silent, reading].every(({ shell }) => !stage.lives(shell)));
      await afterLooks(stage, watch, 6);
      expectUntouched(stage, innocents);
      const events = watch.stdout().split('\n');
      const first = (event: string, shell: number): number =>
        events.findIndex((line) => line.startsWith(`{"event":"${event}"`) && line.includes(`"pid":${shell},`));
      for (const { shell } of [silent, reading]) {
        expect(first('noticed', shell.pid)).toBeGreaterThan(-1);
        expect(first('noticed', shell.pid)).toBeLessThan(first('reaping', shell.pid));
      }
      // T15: the user is told once that a server is idle and that a task keeps working.
      for (const { shell } of [working, serving]) {
        const told = events.filter(
          (line) => line.startsWith('{"event":"noticed"') && line.includes(`"pid":${shell.pid},`),
        );
        expect(told).toHaveLength(1);
      }
      await watch.signal('TERM');
      await watch.ended();
      expect(stage.read(silent.output ?? '')).toMatch(/curfew/i);
      const record = await history(stage);
      expect(record.map(({ decidedBy }) => decidedBy)).toEqual(['rule', 'rule']);
    }),
  );

  test(
    'T04: at the hard cap every job ends: kept, exempted, working, of unknown owner; an agent does not, and nothing does in observe mode',
    scene(async (stage) => {
      writeSettings(stage, {
        ...quick,
        backgroundMaxElapsedSecondsHardCap: 60,
        atMaxElapsed: 'notify',
        exemptions: [{ project: `${stage.home}/shop` }],
      });
      const claude = await FakeClaude.start(stage);
      const other = await FakeClaude.start(stage, { version: '2.0.28', project: `${stage.home}/older` });
      const old = await FakeClaude.start(stage, { version: '2.0.28', project: `${stage.home}/old` });
      stage.program('/tmp/scene/path/node');
      stage.script(`${claude.project}/worker.js`, 'our $BURSTS = 1;', 'resident.pl');
      const exempt = await claude.bash('sleep 3616 | cat');
      const working = await claude.bash('node worker.js; true');
      const kept = await claude.bash('sleep 3617 | cat');
      const unknown = await old.bash('sleep 3618 | cat');
      await old.crash();
      const { id } = jobWith(await scan(stage), kept.shell.pid);
      expect(await runCurfew(stage, ['keep', id, '--for', '4h'])).toMatchObject({ code: 0 });
      const bot = await innocent(stage, {
        argv: ['node', 'bot.js'],
        cwd: claude.project,
        parent: claude.actor,
        env: { ...claude.environment(), CURFEW_KEEP: '1' },
        setsid: true,
      });
      const jobs = [exempt, working, kept, unknown].map(({ shell }) => shell);
      const innocents = [
        bot,
        bystander(stage, 'an agent', claude.actor.pid),
        bystander(stage, 'an agent', other.actor.pid),
      ];
      const observe = await startCurfew(stage, ['watch', '--json', '--observe']);
      await stage.until(
        'all are past the cap',
        () => {
          const last =
            observe
              .stdout()
              .trimEnd()
              .split('\n')
              .findLast((line) => line.startsWith('{"event":"looked"')) ?? '';
          return last.split('"state":"past-cap"').length - 1 >= jobs.length;
        },
        90,
      );
      await afterLooks(stage, observe, 3);
      expect(jobs.map((each) => stage.lives(each))).toEqual([true, true, true, true]);
      await observe.signal('TERM');
      await observe.ended();
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await stage.until('all are gone', () => jobs.every((each) => !stage.lives(each)));
      await afterLooks(stage, watch, 3);
      expectGone(stage, jobs);
      expectUntouched(stage, innocents);
      await watch.signal('TERM');
      expect(await watch.ended()).toMatchObject({ code: 0 });
    }),
  );
});
