import { expect } from 'vitest';
import { z } from 'zod';
import { history, reap, startCurfew } from '../os/scene/curfew.ts';
import { expectUntouched } from '../os/scene/innocents.ts';
import type { Scene } from '../os/scene/scene.ts';
import { StageError, StageNotSetError, setting } from '../os/scene/stage-error.ts';
import { afterLooks, looks, writeSettings } from '../os/scene/watching.ts';
import { identitiesOf, processesOf, putOnStage } from './cast.ts';
import { disturb } from './disturb.ts';
import { putInnocent } from './people.ts';
import type { WorldPlan } from './world.ts';

const record = z.object({
  job: z.string(),
  decidedBy: z.string(),
  reasons: z.array(z.object({ code: z.string() })),
  outcome: z.string().nullable(),
  signals: z.array(z.object({ signal: z.string(), pids: z.array(z.number()), result: z.string() })),
  survivors: z.array(z.unknown()),
  processes: z.array(z.object({ pid: z.number() })),
  freed: z.object({ processes: z.number() }),
});

/** What a world added up to, for the report. */
export interface Played {
  readonly due: number;
  readonly spared: number;
  readonly signals: number;
}

/** Lets Curfew work until nothing that is due is left, or it has had its time. */
const letCurfewWork = async (stage: Scene, plan: WorldPlan, left: () => number): Promise<void> => {
  if (plan.by === 'reap') {
    // A reaping that was disturbed is finished by the next pass, as for a person who calls it again.
    for (let turn = 0; turn < 4; turn++) {
      await reap(stage, ['--max-age', '0s', '--grace', '1s']);
      if (left() === 0) return;
    }
    return;
  }
  writeSettings(stage, {
    orphanGraceSeconds: 0,
    scanIntervalSeconds: 0.5,
    backgroundKillGraceSeconds: 1,
    mode: 'enforce',
  });
  const watch = await startCurfew(stage, ['watch', '--json']);
  try {
    // Counted in looks, so that a slow machine is no broken promise; the limit in seconds is for a watch that stands still.
    await stage.until('the watch has ended what is due, or looked long', () => left() === 0 || looks(watch) > 120, 900);
    // Whoever is not due is looked at a few times more.
    await afterLooks(stage, watch, 3);
  } finally {
    await watch.signal('TERM');
    await watch.ended();
  }
};

/**
 * Plays one world and fails when an invariant is broken: no innocent touched, all that is due dead, every signal on record.
 * Throws a StageNotSetError when that world could not be set, or what was to happen in it did not, and nothing was broken.
 */
export const play = async (stage: Scene, plan: WorldPlan): Promise<Played> => {
  const { innocents, jobs, agents } = await setting(async () => {
    const people = [];
    for (const kind of plan.innocents) people.push(await putInnocent(stage, kind));
    return { innocents: people, ...(await putOnStage(stage, plan)) };
  });
  const due = jobs.filter((job) => job.due);
  const spared = jobs
    .filter((job) => !job.due)
    .flatMap((job) => identitiesOf(stage, job.number).map((identity) => ({ job, identity })))
    .map(({ job, identity }) => ({
      what: `${job.kind} of ${job.session.agent}, which ${job.session.fate}`,
      identity,
      diary: null,
    }));
  const dueProcesses = due.reduce((sum, { number }) => sum + identitiesOf(stage, number).length, 0);

  // Claude Code 2.0 is gone only while none of its kind lives: with a session that begins meanwhile either answer is right.
  const undecided = plan.sessions.some(({ agent }) => agent === 'claude-2.0.28');
  const disturbances = plan.disturbances.filter(({ kind }) => kind !== 'new-session' || !undecided);

  // Told only when all the invariants held: what is waited for in vain may have been ended by Curfew.
  const didNotHappen: StageError[] = [];
  const left = (): number => due.reduce((sum, { number }) => sum + processesOf(stage, number).length, 0);
  const [, ...strangers] = await Promise.all([
    letCurfewWork(stage, plan, left),
    ...disturbances.map((one) =>
      disturb(stage, jobs, one).catch((error: unknown) => {
        if (!(error instanceof StageError)) throw error;
        didNotHappen.push(error);
        return [];
      }),
    ),
  ]);

  expectUntouched(stage, [...innocents, ...agents, ...spared, ...strangers.flat()]);
  for (const job of due) {
    const rows = processesOf(stage, job.number).map(({ pid, state, argv }) => `${pid} ${state} ${argv.join(' ')}`);
    expect(rows, `${job.kind} of ${job.session.agent}, which ${job.session.fate}`).toEqual([]);
  }
  const incidents = z.array(record).parse(await history(stage));
  for (const incident of incidents) {
    expect(incident.reasons.length, 'each incident has its reasons').toBeGreaterThan(0);
    expect(incident.decidedBy).toBe(plan.by === 'reap' ? 'command' : 'rule');
    const known = new Set(incident.processes.map(({ pid }) => pid));
    expect(
      incident.signals.flatMap(({ pids }) => pids).filter((pid) => !known.has(pid) && incident.outcome === null),
    ).toEqual([]);
  }
  const sent = incidents.flatMap(({ signals }) => signals.filter(({ result }) => result === 'sent'));
  // A disturbance may have been quicker with the only process that was due.
  if (due.length > 0 && plan.disturbances.length === 0)
    expect(sent.length, 'what was ended is on record').toBeGreaterThan(0);
  const [first] = didNotHappen;
  if (first !== undefined)
    throw new StageNotSetError(`a disturbance did not happen: ${first.message}`, { cause: first });
  return { due: dueProcesses, spared: innocents.length + agents.length + spared.length, signals: sent.length };
};
