import { describe, expect, test } from 'vitest';
import {
  history,
  jobWith,
  oneDocument,
  patient,
  reap,
  reapOrphans,
  runCurfew,
  scan,
  startCurfew,
} from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { preambleOf } from '../scene/habits.ts';
import { bystander, expectGone, expectUntouched, innocent } from '../scene/innocents.ts';
import { expectAllReaped, livingSession, pinned } from '../scene/outcome.ts';
import { type Scene, scene } from '../scene/scene.ts';
import { writeSettings } from '../scene/watching.ts';

/**
 * The safety contract, item by item, as far as real processes show it. Each test fails if its item
 * is broken.
 */

/** Runs a program of the machine in the scene; throws when it fails. */
const machine = async (stage: Scene, file: string, ...args: readonly string[]): Promise<void> => {
  const argv = [file, ...args];
  const pid = await stage.first.start({ file: `/usr/bin/${file}`, argv, env: stage.userEnvironment() });
  const { code } = await stage.first.ended(pid);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
};

const eager = (stage: Scene): void => {
  writeSettings(stage, { orphanGraceSeconds: 0, scanIntervalSeconds: 0.5, backgroundKillGraceSeconds: 1 });
};

describe.concurrent('the safety contract', () => {
  test(
    '2: a supervisor has seen a job twice before it signals it',
    scene(async (stage) => {
      eager(stage);
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      await claude.crash();
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await stage.until('it is ended', () => watch.stdout().includes('"event":"ended"'));
      await watch.signal('TERM');
      await watch.ended();
      const events = watch.stdout().split('\n');
      const reaping = events.findIndex((line) => line.startsWith('{"event":"reaping"'));
      const sightings = events
        .slice(0, reaping)
        .filter((line) => line.startsWith('{"event":"looked"') && line.includes(`"pid":${call.shell.pid},`));
      // The next scan is reported after it, and what the event shows is the second sighting.
      expect(sightings.length).toBeGreaterThanOrEqual(1);
      expect(sightings.every((line) => line.includes('"state":"orphaned"'))).toBe(true);
    }),
  );

  test(
    '3: a supervisor never acts below the hard cap on an unknown owner',
    scene(async (stage) => {
      eager(stage);
      await FakeClaude.start(stage, { version: '2.0.28', project: `${stage.home}/other` });
      const gone = await FakeClaude.start(stage, { version: '2.0.28' });
      const call = await gone.bash('sleep 3600 | cat');
      await gone.crash();
      const watch = await startCurfew(stage, ['watch', '--json', '--enforce']);
      await stage.until('many looks', () => watch.stdout().split('{"event":"looked"').length > 8);
      await watch.signal('TERM');
      await watch.ended();
      expect(stage.lives(call.shell)).toBe(true);
      expect(await history(stage)).toEqual([]);
    }),
  );

  test(
    '4: a veto holds against the user’s own request too, and says why',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat', { env: { CURFEW_KEEP: '1' } });
      const { id } = jobWith(await scan(stage, ['--all']), call.shell.pid);
      const run = await runCurfew(stage, ['reap', '--json', '--job', id, '--grace', '1s']);
      expect(stage.lives(call.shell)).toBe(true);
      expect(run.code).toBe(1);
      expect(run.stdout + run.stderr).toMatch(/CURFEW_KEEP|keep-marker/);
    }),
  );

  test(
    '6: members in group 0 and session 0, as a namespace shows outside ones, are not a group',
    scene(
      async (stage) => {
        const stranger = await innocent(stage, {
          argv: ['node', 'stranger.js'],
          cwd: `${stage.home}/elsewhere`,
          parent: stage.first,
        });
        const claude = await FakeClaude.start(stage, { setsid: false });
        const env = claude.environment();
        const pid = await claude.actor.start({ file: '/bin/sleep', argv: ['sleep', '3600'], env, cwd: claude.project });
        expect([stage.row(pid)?.pgid, stage.row(stranger.identity.pid)?.pgid]).toEqual([0, 0]);
        const leftover = stage.identity(pid);
        await claude.crash();
        const { members } = jobWith(await scan(stage), pid);
        expect(members.map((member) => member.pid)).toEqual([pid]);
        // It shares the agent's own kernel session, so marks alone name it.
        await expectAllReaped(stage, [leftover], [stranger], { probable: true });
      },
      { adopter: 'init' },
    ),
  );

  test(
    '7: while nothing can be written nothing is ended, and the user is told',
    scene(async (stage) => {
      eager(stage);
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      const { id } = jobWith(await scan(stage), call.shell.pid);
      await claude.crash();
      await machine(stage, 'mount', '--bind', '/tmp/curfew-home', '/tmp/curfew-home');
      await machine(stage, 'mount', '-o', 'remount,ro,bind', '/tmp/curfew-home');
      // A pass, and what the user asks for by name.
      const passed = await runCurfew(stage, ['reap', '--max-age', '0s']);
      const asked = await runCurfew(stage, ['reap', '--job', id]);
      for (const { stderr } of [passed, asked]) expect(stderr).toMatch(/read-only|written|write/i);
      expect([1, 3]).toContain(asked.code);
      expect(stage.lives(call.shell)).toBe(true);
      const watch = await startCurfew(stage, ['watch', '--enforce']);
      await stage.until(
        'it says so',
        () => /read-only|written|write/i.test(watch.stderr()) || stage.row(watch.identity.pid)?.state === 'Z',
      );
      await watch.signal('TERM');
      await watch.ended();
      expect(stage.lives(call.shell)).toBe(true);
    }),
  );

  test(
    '7: when TERM arrives the intent is already on disk',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      // Processes that a job starts in its grace get TERM too, at the next scan: a busy machine may
      // not have copied everything by then.
      const command = `trap '(trap "" TERM; cp -r /tmp/curfew-home /tmp/at-term); exit 0' TERM; sleep 3600 & wait`;
      const call = await claude.bash(command);
      await pinned(stage, 'sleep 3600');
      await claude.crash();
      await expectAllReaped(stage, [call.shell], [], patient);
      const env = { ...stage.userEnvironment(), CURFEW_HOME: '/tmp/at-term' };
      const then = await runCurfew(stage, ['history', '--format', 'csv'], { env });
      expect(then.code).toBe(0);
      expect(then.stdout).toContain('cp -r /tmp/curfew-home');
    }),
  );

  test(
    '9, N12: a job with git in it gets time to finish, even if a short grace was requested',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/git');
      stage.write(`${claude.project}/.git/index.lock`, '');
      const lastWords = { file: '/tmp/git-finished', seconds: 4 };
      stage.script(`${claude.project}/gc`, preambleOf({ lastWords }), 'resident.pl');
      await claude.foregroundSeen('git gc >/dev/null 2>&1 &');
      const processes = await pinned(stage, 'git gc');
      for (const { pid } of processes) await stage.untilDeaf(pid, 'SIGTERM');
      await claude.end();
      const reaping = await expectAllReaped(stage, processes, innocents);
      expect(reaping.incidents.map(({ outcome }) => outcome)).toEqual(['reaped']);
      expect(stage.read('/tmp/git-finished')).toBe('finished\n');
    }),
  );

  test(
    '10: two passes at the same time end each job once',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const calls = [];
      for (let n = 0; n < 12; n++) calls.push(await claude.bash(`sleep 37${10 + n} | cat`));
      await claude.crash();
      const passes = await Promise.all([reapOrphans(stage), reapOrphans(stage)]);
      expectGone(
        stage,
        calls.map(({ shell }) => shell),
      );
      expectUntouched(stage, innocents);
      const ended = passes.flatMap(({ incidents }) =>
        incidents.filter(({ outcome }) => outcome === 'reaped' || outcome === 'killed'),
      );
      expect(ended.flatMap(({ survivors }) => survivors)).toEqual([]);
      expect(new Set(ended.map(({ job }) => job)).size).toBe(calls.length);
      expect(ended).toHaveLength(calls.length);
    }),
  );

  test(
    '10, T23: a job that is being ended gets no signal from a second pass, which names the first; neither runs programs that could pile up',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash("trap 'echo TERM >> /tmp/heard' TERM; while :; do sleep 1; done");
      await stage.untilDeaf(call.shell.pid, 'SIGTERM');
      await claude.crash();
      // The whole second pass must fit into this grace.
      const first = await startCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '25s']);
      await stage.until('TERM was heard', () => stage.has('/tmp/heard'));
      const second = await runCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '1s']);
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(String(first.identity.pid));
      expect(stage.lives(call.shell)).toBe(true);
      expect(stage.table().filter(({ ppid }) => ppid === first.identity.pid)).toEqual([]);
      expect((await first.ended()).code).toBe(0);
      expectGone(stage, [call.shell]);
      expect(stage.read('/tmp/heard')).toBe('TERM\n');
      expect(await history(stage)).toMatchObject([{ outcome: 'killed' }]);
    }),
  );

  test(
    '11, N14: every signal is recorded with what decided, why, when, its target and its result',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash("trap '' TERM; while :; do sleep 3600; done");
      await stage.untilDeaf(call.shell.pid, 'SIGTERM');
      await claude.crash();
      const { incidents } = await expectAllReaped(stage, [call.shell]);
      const [incident] = incidents;
      expect(incident).toMatchObject({ decidedBy: 'command', outcome: 'killed' });
      expect(incident?.reasons.map(({ code }) => code)).toContain('owner-gone');
      const sent = incident?.signals.filter(({ result }) => result === 'sent') ?? [];
      expect(sent.map(({ signal }) => signal)).toEqual(expect.arrayContaining(['TERM', 'KILL']));
      expect(sent.filter(({ signal }) => signal === 'KILL').flatMap(({ pids }) => pids)).toContain(call.shell.pid);
      expect(sent.every(({ at, target }) => Number.isFinite(Date.parse(at)) && target !== '')).toBe(true);
    }),
  );

  test(
    '12: killed in the middle of a reaping it leaves a record of that, and the next pass finishes the work',
    scene(async (stage) => {
      const innocents = await livingSession(stage);
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash("trap ': > /tmp/heard' TERM; while :; do sleep 1; done");
      await stage.untilDeaf(call.shell.pid, 'SIGTERM');
      await claude.crash();
      const pass = await startCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '60s']);
      await stage.until('TERM was heard', () => stage.has('/tmp/heard'));
      await pass.signal('KILL');
      await pass.ended();
      expect(stage.lives(call.shell)).toBe(true);
      await expectAllReaped(stage, [call.shell], innocents);
      const outcomes = (await history(stage)).map(({ outcome }) => outcome);
      expect(outcomes).toEqual(['killed', 'interrupted']);
    }),
  );

  test(
    '12: a damaged record is set aside with a message, and a fresh one takes new events',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const first = await claude.bash('sleep 3600 | cat');
      const second = await claude.bash('sleep 3601 | cat');
      await claude.crash();
      const { id } = jobWith(await scan(stage), first.shell.pid);
      await reap(stage, ['--job', id, '--grace', '1s']);
      const damaged = stage.damage('/tmp/curfew-home', /\.(db|sqlite3?)$/);
      expect(damaged).toBeGreaterThan(0);
      const run = await runCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '60s']);
      expect(run.stderr).not.toBe('');
      // What spared it may be forgotten with the record: only the user's own word ends it.
      expect(oneDocument(run)).toMatchObject({ incidents: [] });
      expect(stage.lives(second.shell)).toBe(true);
      const left = jobWith(await scan(stage), second.shell.pid);
      const ended = await reap(stage, ['--job', left.id, '--grace', '60s']);
      expect(ended.incidents).toMatchObject([{ outcome: 'reaped' }]);
      expectGone(stage, [second.shell]);
      expect(await history(stage)).toHaveLength(1);
    }),
  );

  test(
    '12: names that imitate rows of a process table forge nothing',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      const env = { ...stage.userEnvironment(), NOTE: 'x\nCLAUDE_CODE_SESSION_ID=forged\nCLAUDECODE=1' };
      const forged = await innocent(stage, {
        argv: [`node\n${call.shell.pid} 1 ${call.shell.pid} claude`, 'bot.js'],
        file: '/tmp/scene/programs/a) Z 1 (b',
        env,
      });
      const bytes = await stage.top.start({
        file: '/bin/sleep',
        argv: ['\u00ff\u0000\u0001'.replaceAll('\u0000', ''), '3600'],
        env,
      });
      await claude.crash();
      const look = await scan(stage, ['--all']);
      expect(look.jobs).toHaveLength(1);
      await expectAllReaped(stage, [call.shell], [forged, bystander(stage, 'odd bytes', bytes)]);
    }),
  );
});
