import { describe, expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobWith, reapOrphans, scan, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { type Innocent, bystander, expectGone, expectUntouched, innocent } from '../scene/innocents.ts';
import { expectAllReaped, pinned } from '../scene/outcome.ts';
import { preambleOf } from '../scene/habits.ts';
import { type Scene, scene } from '../scene/scene.ts';

/**
 * Gives a free pid to a program of the user that resembles the dead process. Null if another
 * process took it first.
 */
const recycle = async (stage: Scene, pid: number): Promise<Innocent | null> => {
  const start = { file: '/bin/sleep', argv: ['sleep', '3601'], env: stage.userEnvironment(), setsid: true, pid };
  try {
    return bystander(stage, `who got pid ${pid}`, await stage.top.start(start));
  } catch (error) {
    if (error instanceof Error && error.message.includes('instead of')) return null;
    throw error;
  }
};

describe.concurrent('a pid is not an identity', () => {
  test(
    'N08: a member dies of TERM, an innocent gets its pid in the grace: KILL goes to the member that ignores TERM and not to the innocent',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      stage.program('/tmp/scene/path/python3');
      stage.script(`${claude.project}/deaf.py`, preambleOf({ deaf: ['TERM'] }), 'resident.pl');
      const call = await claude.bash('python3 deaf.py & sleep 3601; true');
      const [deaf, mortal] = await pinned(stage, 'python3 deaf.py', 'sleep 3601');
      if (deaf === undefined || mortal === undefined) throw new Error('the job did not start');
      await stage.untilDeaf(deaf.pid, 'SIGTERM');
      await claude.crash();
      const running = await startCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '15s']);
      await stage.until(
        'TERM did its work',
        () => !stage.lives(call.shell) && stage.row(mortal.pid)?.start !== mortal.start,
      );
      const stranger = await recycle(stage, mortal.pid);
      expect(stranger).not.toBeNull();
      // KILL has not been sent yet, so one recorded for this number was meant for the innocent.
      expect(stage.lives(deaf), 'the grace goes on').toBe(true);
      const run = await running.ended();
      expect(run.code).toBe(0);
      expectGone(stage, [call.shell, deaf, mortal]);
      expectUntouched(stage, stranger === null ? [] : [stranger]);
      const document = JSON.parse(run.stdout) as {
        incidents: { outcome: string; signals: { signal: string; pids: number[] }[] }[];
      };
      expect(document.incidents.map(({ outcome }) => outcome)).toEqual(['killed']);
      const kills = document.incidents.flatMap(({ signals }) => signals.filter(({ signal }) => signal === 'KILL'));
      const killed = new Set(kills.flatMap(({ pids }) => pids));
      expect(killed).toEqual(new Set([deaf.pid]));
    }),
  );

  test(
    'N05, N08: innocents constantly take over pids of a job, from the first scan to the last signal',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash(
        "trap '' TERM; for n in $(seq 40); do (trap - TERM; exec sleep 3601) & done; wait",
      );
      const members = await stage.until('forty', () => {
        const rows = stage.table().filter((row) => row.argv.join(' ') === 'sleep 3601');
        return rows.length === 40 && rows;
      });
      await claude.crash();
      const running = await startCurfew(stage, ['reap', '--json', '--max-age', '0s', '--grace', '2s']);
      const strangers: Innocent[] = [];
      for (const member of members) {
        const { pid } = member;
        // Curfew may have been faster, and one of its threads may have the number now.
        if (stage.lives(member)) await stage.first.signal(pid, 'KILL');
        await stage.until('its parent waited for it', () => stage.row(pid)?.start !== member.start);
        const stranger = await recycle(stage, pid);
        if (stranger !== null) strangers.push(stranger);
        await sleep(50);
      }
      const run = await running.ended();
      expect([0, 1]).toContain(run.code);
      expect(strangers.length).toBeGreaterThan(0);
      expectUntouched(stage, strangers);
      await expectAllReaped(stage, [call.shell], strangers);
    }),
  );

  test(
    'the pid of a dead agent belongs to an unrelated process: its leftovers are orphans, the new process is not one',
    scene(async (stage) => {
      const claude = await FakeClaude.start(stage);
      const call = await claude.bash('sleep 3600 | cat');
      await claude.crash();
      const heir = await innocent(stage, { argv: ['node', 'heir.js'], pid: claude.actor.pid, setsid: true });
      expect(heir.identity.pid).toBe(claude.actor.pid);
      expect(jobWith(await scan(stage), call.shell.pid).owner).toBe('gone');
      await expectAllReaped(stage, [call.shell], [heir]);
    }),
  );

  test(
    'the pid of a dead agent belongs to a new session of the same agent: two different owners',
    scene(async (stage) => {
      const dead = await FakeClaude.start(stage);
      const call = await dead.bash('sleep 3600 | cat');
      await dead.crash();
      // Of one that began in the same tick (10 ms) as the job it can't be told whether it is its
      // agent: then the owner is unknown.
      await sleep(50);
      const heir = await FakeClaude.start(stage, { pid: dead.actor.pid, project: `${stage.home}/other` });
      const own = await heir.bash('sleep 3601 | cat');
      const look = await scan(stage);
      expect([jobWith(look, call.shell.pid).owner, jobWith(look, own.shell.pid).owner]).toEqual(['gone', 'live']);
      await expectAllReaped(
        stage,
        [call.shell],
        [bystander(stage, 'the heir', heir.actor.pid), bystander(stage, 'its shell', own.shell.pid)],
      );
      expect(await reapOrphans(stage)).toMatchObject({ incidents: [] });
    }),
  );
});
