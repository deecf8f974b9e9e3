import { describe, expect, test } from 'vitest';
import { jobWith, reap, scan } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { bystander, expectGone, expectUntouched } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import { scene, type Scene } from '../scene/scene.ts';

/**
 * Lets a job begin a process at TERM, after looks that saw its agent alive and then gone.
 * @param before what the job runs all the time
 * @param trap what it does at TERM before it ends
 */
const begins = async (stage: Scene, before: string, trap: string): Promise<{ shell: Identity; begun: Identity }> => {
  const claude = await FakeClaude.start(stage);
  const { shell } = await claude.bash(`${before} trap '${trap} exit 0' TERM; while :; do sleep 0.1; done`);
  await stage.untilDeaf(shell.pid, 'SIGTERM');
  await scan(stage);
  await claude.crash();
  expect(jobWith(await scan(stage), shell.pid).owner).toBe('gone');
  await stage.first.signal(shell.pid, 'TERM');
  const row = await stage.find('what the job begins', ({ argv }) => argv.join(' ') === 'sleep 4100');
  return { shell, begun: stage.identity(row.pid) };
};

const isGone = async (stage: Scene, shell: Identity): Promise<void> => {
  await stage.until('the shell of the job is gone', () => !stage.lives(shell));
};

/** Fails unless a pass ends it as what a closed session left. */
const expectDue = async (stage: Scene, begun: Identity): Promise<void> => {
  expect(jobWith(await scan(stage), begun.pid)).toMatchObject({ owner: 'gone', verdict: { state: 'orphaned' } });
  const { incidents } = await reap(stage, ['--max-age', '0s', '--grace', '1s']);
  expect(incidents.flatMap(({ survivors }) => survivors)).toEqual([]);
  expectGone(stage, [begun]);
};

describe.concurrent('a process that a job begins after looks saw its agent alive and then gone', () => {
  test(
    'is due where a process of its kernel session lives that a look knew',
    scene(async (stage) => {
      const kept = 'sleep 4200 >/dev/null 2>&1 &';
      const { shell, begun } = await begins(stage, kept, 'sleep 4100 >/dev/null 2>&1 &');
      await isGone(stage, shell);
      await expectDue(stage, begun);
    }),
  );

  test(
    'is due in a kernel session of its own where a look saw it below the job',
    scene(async (stage) => {
      const waits = 'while [ ! -e /tmp/seen ]; do sleep 0.1; done;';
      const { shell, begun } = await begins(stage, '', `setsid sleep 4100 >/dev/null 2>&1 & ${waits}`);
      expect(jobWith(await scan(stage), begun.pid).owner).toBe('gone');
      stage.write('/tmp/seen', '');
      await isGone(stage, shell);
      await expectDue(stage, begun);
    }),
  );

  test.each([
    ['in its kernel session', 'sleep 4100 >/dev/null 2>&1 &'],
    ['in a kernel session of its own', 'setsid sleep 4100 >/dev/null 2>&1 &'],
  ])('is no job where all that a look knew has ended: nothing that lives leads to it (%s)', async (_, trap) =>
    scene(async (stage) => {
      const { shell, begun } = await begins(stage, '', trap);
      await isGone(stage, shell);
      expect((await scan(stage, ['--all'])).jobs).toEqual([]);
      expect((await reap(stage, ['--max-age', '0s'])).incidents).toEqual([]);
      expectUntouched(stage, [bystander(stage, 'what the job began', begun.pid)]);
    })(),
  );
});
