import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClaude } from '../scene/claude.ts';
import { curfewEnvironment } from '../scene/curfew.ts';
import { scene, type Scene } from '../scene/scene.ts';
import { launchService, quick, writeSettings } from './running-service.ts';

/** From the question to end a job on, in both walks. */
const stepsOfEnding = [
  'main/ending/two-looks.ts#confirmTwice',
  'main/reaping/reaper.ts#start',
  'main/reaping/reaping.ts#survey',
  'main/reaping/plan.ts#intentOf',
  'main/store/history/journal-rows.ts#putIntent',
  'app/reap/machine.ts#nextReapingStep',
  'main/reaping/delivery.ts#confirmTarget',
  'main/os/linux/control/pidfd.ts#sendToGroup',
] as const;

/**
 * What a reader must open to follow a process through Curfew: the files of all calls that lead to
 * these steps while one real leftover is found and ended. At each step the process takes another
 * form, or something is decided of it. What a function on the way asks without handing the process
 * on, such as a single veto, is known by its name and is not opened; nor are the helpers of text
 * and of tables, which know nothing of the walk.
 */
const stepsOfRow = [
  'main/observing/observer.ts#look',
  'main/os/linux/proc/stat.ts#readStat',
  'app/jobs/find/find-roots.ts#findingRoots',
  'app/jobs/lineage/cluster.ts#clusteringOf',
  'app/jobs/find/membership.ts#membershipOf',
  'app/jobs/find/proof-of.ts#partsOf',
  'app/jobs/owner/owner.ts#ofClaim',
  'main/os/linux/facts/member-facts.ts#read',
  'app/jobs/measure/assemble.ts#holdingsOf',
  'app/judge/vetoes/vetoes-of.ts#vetoesOfProcess',
  'app/judge/judge.ts#judge',
  ...stepsOfEnding,
] as const;

const stepsOfClick = [
  'main/interface/answers/job-answers.ts#job.reap',
  'main/ending/end.ts#acceptRequest',
  ...stepsOfEnding,
] as const;

const maxFiles = 60;

const helpers = /^app\/(?:format|paths|text|process)\//u;

/**
 * Rooms that the walk must enter twice: a row comes from the system and the signal goes to it, and
 * what finds jobs is pure, so it asks back for what has to be read.
 */
const enteredTwice = ['main/observing', 'main/os'];

const recorded = z.object({ step: z.string(), calls: z.array(z.string()) });

type Call = z.infer<typeof recorded>;

const recorder = join(import.meta.dirname, 'programs/record-steps.ts');
const project = join(import.meta.dirname, '../../..');
const walkFile = '/tmp/scene/walk.jsonl';

const recording = (steps: readonly string[]) => ({
  argv: ['--import', recorder],
  env: { CURFEW_TEST_WALK: walkFile, CURFEW_TEST_STEPS: steps.join(' ') },
});

/** The calls from the first step on; what comes before it is the start of the program. */
const callsFrom = (stage: Scene, [first]: readonly string[]): readonly Call[] => {
  const lines = stage.read(walkFile).trimEnd().split('\n');
  const all = lines.map((line) => recorded.parse(JSON.parse(line)));
  return all.slice(all.findIndex(({ step }) => step === first));
};

const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/**
 * The files to open, and the rooms that are entered more than once: to a file of them that is not
 * open yet calls come out of more than one other room.
 */
const walkOf = (calls: readonly Call[]) => {
  const files = new Set<string>();
  const entries = new Map<string, Set<string>>();
  for (const one of calls) {
    let room: string | null = null;
    for (const file of one.calls.filter((each) => !helpers.test(each))) {
      const next = roomOf(file);
      if (!files.has(file) && room !== null && room !== next)
        entries.set(next, (entries.get(next) ?? new Set()).add(room));
      files.add(file);
      room = next;
    }
  }
  const often = [...entries].filter(([, from]) => from.size > 1).map(([room]) => room);
  return { files, often: often.toSorted() };
};

const leftover = async (stage: Scene) => {
  const claude = await FakeClaude.start(stage);
  const call = await claude.bash('sleep 3700 & wait');
  await claude.crash();
  return call.shell;
};

describe.concurrent('the walk through the house', () => {
  test(
    'a row of /proc becomes a signal over at most 60 files, and rooms are entered once',
    scene(async (stage) => {
      const shell = await leftover(stage);
      const { argv, env } = recording(stepsOfRow);
      const command = [process.execPath, ...argv, join(project, 'main/cli/index.ts'), 'reap', '--max-age=0'];
      const pid = await stage.top.start({
        file: process.execPath,
        argv: command,
        env: { ...curfewEnvironment(stage), ...env },
        cwd: stage.home,
        setsid: true,
        fds: { 1: '/dev/null', 2: '/dev/null' },
      });
      expect((await stage.top.ended(pid)).code).toBe(0);
      expect(stage.lives(shell)).toBe(false);
      const calls = callsFrom(stage, stepsOfRow);
      expect(stepsOfRow.filter((step) => calls.every((one) => one.step !== step))).toEqual([]);
      const { files, often } = walkOf(calls);
      expect(files.size).toBeLessThanOrEqual(maxFiles);
      expect(often).toEqual(enteredTwice);
    }),
  );

  test(
    'a click becomes a signal over at most 60 files, and rooms are entered once',
    scene(async (stage) => {
      writeSettings(stage, quick);
      const shell = await leftover(stage);
      const service = await launchService(stage, recording(stepsOfClick));
      const window = await service.open();
      const { id } = await window.job(shell.pid);
      await window.get('job.reap', { job: id });
      await window.until('the reaping ended', ({ reapings }) => reapings.some(({ phase }) => phase === 'ended'));
      await service.stop();
      expect(stage.lives(shell)).toBe(false);
      const calls = callsFrom(stage, stepsOfClick);
      expect(stepsOfClick.filter((step) => calls.every((one) => one.step !== step))).toEqual([]);
      const { files, often } = walkOf(calls);
      expect(files.size).toBeLessThanOrEqual(maxFiles);
      expect(often).toEqual([]);
    }),
  );
});
