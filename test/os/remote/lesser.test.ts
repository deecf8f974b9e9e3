import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { jobWith, oneDocument } from '../scene/curfew.ts';
import { expectGone, expectUntouched, innocent } from '../scene/innocents.ts';
import { pinned } from '../scene/outcome.ts';
import { reapDocument, scanDocument } from '../scene/schemas.ts';
import { far, type FarMachine, missing, skipped } from './far-machine.ts';
import { editAnswers, leaveAnswers, makeLesser, withoutNul, withoutProc } from './lesser-machine.ts';

const web1 = { host: z.literal('web1') };
const scanned = scanDocument.extend(web1);
const reaped = reapDocument.extend(web1);

const scan = async (machine: FarMachine): Promise<z.infer<typeof scanned>> =>
  scanned.parse(oneDocument(await machine.run(['scan', '--json', '--explain', '--all', '--host', 'web1'])));

const reap = async (machine: FarMachine, ...args: readonly string[]): Promise<z.infer<typeof reaped>> =>
  reaped.parse(
    oneDocument(await machine.run(['reap', '--json', '--host', 'web1', '--max-age', '0s', '--grace', '1s', ...args])),
  );

/** Ends a job by hand while the scanned process differs from the one at the time of the signal. */
const reapChanged = async (machine: FarMachine, job: string, pid: number): Promise<void> => {
  // Not the same digits of a pid or of a time.
  editAnswers(machine, 's{(sleep\\W+)7777}{$1 . 7778}ge');
  const run = await machine.run(['reap', '--json', '--host', 'web1', '--job', job, '--grace', '0s']);
  const { incidents } = reaped.parse(oneDocument(run));
  const results = incidents.flatMap(({ signals }) => signals).filter(({ pids }) => pids.includes(pid));
  expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['vetoed']));
  expect(machine.stage.table().some((row) => row.pid === pid && row.state !== 'Z')).toBe(true);
  leaveAnswers(machine);
};

const lesser = (play: (machine: FarMachine) => Promise<void>, forced: string) =>
  far(
    async (machine) => {
      await makeLesser(machine);
      await play(machine);
    },
    { forced },
  );

describe.skipIf(missing !== null)(`a machine that reports less ${skipped}`, () => {
  test(
    'a small busybox: jobs, owners, markers, files of agents and outputs are reported, and orphans end completely',
    lesser(async (machine) => {
      const { stage } = machine;
      const living = await FakeClaude.start(stage, { project: '/tmp/home/living' });
      const kept = await living.bash('sleep 9999 | cat');
      const dead = await FakeClaude.start(stage, { project: '/tmp/home/shop' });
      const call = await dead.bash("sleep 7777 | cat; echo 'a  b'\necho $HOME");
      const marked = await dead.bash('sleep 6666 | cat', { env: { CURFEW_KEEP: '1' } });
      const processes = [call.shell, ...(await pinned(stage, 'sleep 7777'))];
      expect(jobWith(await scan(machine), call.shell.pid).owner).toBe('live');
      await dead.crash();
      const look = await scan(machine);
      const job = jobWith(look, call.shell.pid);
      expect(job).toMatchObject({
        command: "sleep 7777 | cat; echo 'a  b'\necho $HOME",
        session: dead.session,
        project: '/tmp/home/shop',
        output: call.output,
        owner: 'gone',
        vetoes: [],
      });
      expect(jobWith(look, kept.shell.pid).owner).toBe('live');
      expect(jobWith(look, marked.shell.pid).vetoes.map(({ code }) => code)).toContain('keep-marker');
      await reapChanged(machine, job.id, call.shell.pid);
      const { incidents } = await reap(machine);
      expect(incidents.filter(({ outcome }) => outcome !== 'spared')).toMatchObject([{ job: job.id, survivors: [] }]);
      expectGone(stage, processes);
      expect([kept, marked].map(({ shell }) => stage.lives(shell))).toEqual([true, true]);
    }, withoutNul),
  );

  test(
    'only ps, no /proc: jobs whose session may be open are spared, certain leftovers end completely, and nothing else',
    lesser(async (machine) => {
      const { stage } = machine;
      const other = await FakeClaude.start(stage, { project: '/tmp/home/other' });
      const later = await other.bash('sleep 9999 | cat');
      const server = await innocent(stage, { argv: ['node', 'server.js'], setsid: true });
      const dead = await FakeClaude.start(stage, { project: '/tmp/home/shop' });
      const call = await dead.bash("trap '(exec sleep 6666) & exec sleep 5555' TERM; sleep 7777 & wait");
      const marked = await dead.bash('sleep 4444 | cat', { env: { CURFEW_KEEP: '1' } });
      await pinned(stage, 'sleep 7777');
      const sleeping = (): readonly string[] =>
        stage
          .table()
          .flatMap(({ argv, state }) => (argv[0] === 'sleep' && state !== 'Z' ? [argv.join(' ')] : []))
          .toSorted();
      const young = await scan(machine);
      expect(jobWith(young, call.shell.pid)).toMatchObject({ agent: 'claude-code', owner: 'live' });

      await dead.crash();
      // Only open files would show which session the other one continues.
      const look = await scan(machine);
      const job = jobWith(look, call.shell.pid);
      expect(job).toMatchObject({ owner: 'unknown', vetoes: [] });
      expect(jobWith(look, later.shell.pid).owner).toBe('live');
      expect(jobWith(look, marked.shell.pid).vetoes.map(({ code }) => code)).toContain('keep-marker');
      expect((await reap(machine)).incidents).toEqual([]);
      expect(sleeping()).toEqual(['sleep 4444', 'sleep 7777', 'sleep 9999']);

      await reapChanged(machine, job.id, call.shell.pid);
      expect((await reap(machine, '--job', job.id)).incidents).toMatchObject([{ outcome: 'killed', survivors: [] }]);
      expect(stage.lives(call.shell)).toBe(false);
      expect(sleeping()).toEqual(['sleep 4444', 'sleep 9999']);

      await other.crash();
      expect(jobWith(await scan(machine), later.shell.pid).owner).toBe('gone');
      // There only lsof would show its clients.
      stage.move('/tmp/scene/lesser/path/lsof', '/tmp/scene/lesser/lsof');
      expect((await reap(machine)).incidents.filter(({ outcome }) => outcome !== 'spared')).toEqual([]);
      stage.move('/tmp/scene/lesser/lsof', '/tmp/scene/lesser/path/lsof');
      const { incidents } = await reap(machine, '--grace', '60s');
      expect(incidents.filter(({ outcome }) => outcome !== 'spared')).toMatchObject([
        { outcome: 'reaped', survivors: [], freed: { processes: 3 } },
      ]);
      expect(sleeping()).toEqual(['sleep 4444']);
      expect(stage.lives(marked.shell)).toBe(true);
      expectUntouched(stage, [server]);
    }, withoutProc),
  );
});
