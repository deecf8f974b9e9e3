import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { curfewEnvironment, oneDocument, runCurfew, startCurfew } from '../scene/curfew.ts';
import { FakeClaude } from '../scene/claude.ts';
import { type Innocent, bystander, expectGone, expectUntouched, innocentProgram } from '../scene/innocents.ts';
import { livingSession, pinned } from '../scene/outcome.ts';
import type { Identity } from '../scene/processes.ts';
import { type Scene, scene } from '../scene/scene.ts';

/** A supervisor that is killed at each step of a reaping, and its successor. */

const incident = z.looseObject({
  outcome: z.string().nullable(),
  signals: z.array(z.looseObject({ signal: z.string(), result: z.string() })),
  survivors: z.array(z.looseObject({ pid: z.int() })),
  freed: z.looseObject({ processes: z.int() }),
});

/** The record, oldest first. */
const recorded = async (stage: Scene): Promise<readonly z.infer<typeof incident>[]> =>
  z
    .looseObject({ incidents: z.array(incident) })
    .parse(oneDocument(await runCurfew(stage, ['history', '--json'])))
    .incidents.toReversed();

/** Within the grace period all members must get TERM, and those that obey it must end. */
const settings = {
  schema: 1,
  noticeSeconds: 0,
  orphanGraceSeconds: 0,
  scanIntervalSeconds: 0.5,
  backgroundKillGraceSeconds: 8,
};

/** Gives a free pid to a program of the user, as a long-running machine reuses numbers. */
const recycle = async (stage: Scene, pid: number): Promise<Innocent> => {
  const start = { file: '/bin/sleep', argv: ['sleep', '3601'], env: stage.userEnvironment(), setsid: true, pid };
  return bystander(stage, `who got pid ${pid}`, await stage.top.start(start));
};

const sent = (signals: readonly { readonly signal: string; readonly result: string }[]): readonly string[] => [
  ...new Set(signals.filter(({ result }) => result === 'sent').map(({ signal }) => signal)),
];

/** A moment of death, and the expected result. */
interface Step {
  readonly dies: string;
  readonly what: string;
  /** Which members are left at that moment: all, the one that ignores TERM, or none. */
  readonly left: 'all' | 'deaf' | 'none';
  /** Signals in its own record; null if there is no record. */
  readonly recordedSignals: readonly string[] | null;
  /** Final content of the record. */
  readonly outcomes: readonly string[];
  /** How often the member that ignores TERM got it, in both lives together. */
  readonly terms: number;
}

const again = ['interrupted', 'killed'];
const steps: readonly Step[] = [
  {
    dies: 'before intent',
    what: 'before the intent is on disk',
    left: 'all',
    recordedSignals: null,
    outcomes: ['killed'],
    terms: 1,
  },
  {
    dies: 'after intent',
    what: 'with the intent on disk, before TERM',
    left: 'all',
    recordedSignals: [],
    outcomes: again,
    terms: 1,
  },
  {
    dies: 'before TERM',
    what: 'after TERM, before that is on disk',
    left: 'deaf',
    recordedSignals: [],
    outcomes: again,
    terms: 2,
  },
  { dies: 'after TERM', what: 'in the grace', left: 'deaf', recordedSignals: ['TERM'], outcomes: again, terms: 2 },
  {
    dies: 'before KILL',
    what: 'after KILL, before that is on disk',
    left: 'none',
    recordedSignals: ['TERM'],
    outcomes: ['interrupted'],
    terms: 1,
  },
  {
    dies: 'after KILL',
    what: 'after KILL, with that on disk',
    left: 'none',
    recordedSignals: ['TERM', 'KILL'],
    outcomes: ['interrupted'],
    terms: 1,
  },
  {
    dies: 'before ended',
    what: 'before the end is on disk',
    left: 'none',
    recordedSignals: ['TERM', 'KILL'],
    outcomes: ['interrupted'],
    terms: 1,
  },
  {
    dies: 'after ended',
    what: 'with the end on disk',
    left: 'none',
    recordedSignals: ['TERM', 'KILL'],
    outcomes: ['killed'],
    terms: 1,
  },
];

/** Returns the recorded outcomes. */
const play = async (stage: Scene, step: Step): Promise<readonly (string | null)[]> => {
  stage.write('/tmp/curfew-home/settings.json', JSON.stringify(settings), 0o600);
  const innocents = [...(await livingSession(stage))];
  const claude = await FakeClaude.start(stage);
  stage.program('/tmp/scene/path/node');
  const deafProgram = innocentProgram(stage, `${claude.project}/deaf.js`);
  const call = await claude.bash('node deaf.js & sleep 3600; true');
  const deaf = (await deafProgram.ready()).identity;
  const [mortal] = await pinned(stage, 'sleep 3600');
  if (mortal === undefined) throw new Error('the job did not start');
  const job: readonly Identity[] = [call.shell, mortal, deaf];
  await claude.crash();

  const env = {
    ...curfewEnvironment(stage),
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'programs/die-at.ts')).href}`,
    CURFEW_TEST_DIES: step.dies,
  };
  const first = await startCurfew(stage, ['watch', '--json', '--enforce'], { env });
  const end = await first.ended();
  expect(end).toMatchObject({ code: 128 + 9 });
  const expected: readonly Identity[] = { all: job, deaf: [deaf], none: [] }[step.left];
  await stage.until('the signals have done their work', () =>
    job.every((each) => expected.includes(each) === stage.lives(each)),
  );
  const dead = job.filter((each) => !expected.includes(each));
  // Otherwise the kernel would merge this TERM with the next one, or deliver KILL before it.
  const heard = (): string => stage.read(deafProgram.diary);
  if (step.left === 'deaf') await stage.until('the deaf one has heard TERM', () => heard().includes('TERM'));
  await stage.until('nothing of the dead is left', () => dead.every(({ pid }) => stage.row(pid) === null));
  // The kernel does not reuse a pid that is still the id of a group.
  const groups = new Set(expected.map(({ pid }) => stage.row(pid)?.pgid));
  for (const { pid } of [...dead, first.identity]) if (!groups.has(pid)) innocents.push(await recycle(stage, pid));
  const [before] = await recorded(stage);
  if (step.recordedSignals === null) expect(before).toBeUndefined();
  else expect(sent(before?.signals ?? [])).toEqual(step.recordedSignals);
  expect(before?.outcome ?? null).toBe(step.dies === 'after ended' ? 'killed' : null);

  const next = await startCurfew(stage, ['watch', '--json', '--enforce']);
  await stage.until('the job is gone', () => !stage.lives(deaf));
  const looks = (): number => next.stdout().split('{"event":"looked"').length;
  const seen = looks();
  await stage.until('it has looked on', () => looks() >= seen + 4);
  await next.signal('TERM');
  expect(await next.ended()).toMatchObject({ code: 0 });

  expectGone(stage, job);
  expectUntouched(stage, innocents);
  const due = `alive\n${'TERM\n'.repeat(step.terms)}`;
  expect(heard()).toBe(due);
  const record = await recorded(stage);
  for (const one of record) {
    const interrupted = one.outcome === 'interrupted';
    // Unobserved deaths are not counted, and processes named as left were left.
    expect(new Set(one.survivors.map(({ pid }) => pid))).toEqual(
      new Set(interrupted ? expected.map(({ pid }) => pid) : []),
    );
    if (interrupted) expect(one.freed.processes).toBe(0);
    else expect(one.freed.processes).toBe(step.left === 'deaf' ? 1 : job.length);
    if (interrupted) expect(sent(one.signals)).toEqual(step.recordedSignals);
  }
  const text = await runCurfew(stage, ['history']);
  if (step.outcomes.includes('interrupted')) expect(text.stdout).toContain('Curfew itself ended');
  return record.map(({ outcome }) => outcome);
};

describe.concurrent('after a supervisor is killed, its successor completes the work and nothing else is signalled', () => {
  for (const step of steps) {
    test(
      `killed ${step.what}`,
      scene(async (stage) => {
        expect(await play(stage, step)).toEqual(step.outcomes);
      }),
    );
  }
});

const finishers: readonly (readonly string[])[] = [
  ['hook', 'pass'],
  ['reap', '--json'],
  ['scan', '--json'],
];

describe.concurrent('the record of a hook pass that was killed, where no supervisor ever runs', () => {
  for (const finisher of finishers) {
    test(
      `is completed by the next \`curfew ${finisher.join(' ')}\``,
      scene(async (stage) => {
        stage.write('/tmp/curfew-home/settings.json', JSON.stringify({ ...settings, mode: 'enforce' }), 0o600);
        const innocents = await livingSession(stage);
        const claude = await FakeClaude.start(stage);
        stage.program('/tmp/scene/path/node');
        const deafProgram = innocentProgram(stage, `${claude.project}/deaf.js`);
        await claude.bash('node deaf.js & sleep 3600; true');
        const deaf = (await deafProgram.ready()).identity;
        // Seen below its agent, as by a timer's pass before.
        await runCurfew(stage, ['hook', 'pass']);
        await claude.crash();
        const env = {
          ...curfewEnvironment(stage),
          NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'programs/die-at.ts')).href}`,
          CURFEW_TEST_DIES: 'after TERM',
        };
        expect(await runCurfew(stage, ['hook', 'pass', '--max-age', '0'], { env })).toMatchObject({ code: 128 + 9 });
        expect(await recorded(stage)).toMatchObject([{ outcome: null }]);
        // Nothing is due any more, so nothing but the record is left to do.
        await stage.top.signal(deaf.pid, 'KILL');
        await stage.until('nothing of the job is left', () => !stage.lives(deaf));
        expect(await runCurfew(stage, finisher)).toMatchObject({ code: 0 });
        expect(await recorded(stage)).toMatchObject([{ outcome: 'interrupted', survivors: [] }]);
        expectUntouched(stage, [...innocents]);
      }),
    );
  }
});
