import { expect } from 'vitest';
import { z } from 'zod';
import type { Innocent } from '../os/scene/innocents.ts';
import { lives } from '../os/scene/processes.ts';
import type { Scene } from '../os/scene/scene.ts';
import type { CastJob } from './cast.ts';
import { portOf } from './commands.ts';
import { aliveIn, heardIn, readDiary } from './diary.ts';
import { signalsOfRuns } from './runs.ts';
import type { WorldPlan } from './world.ts';

const record = z.object({
  job: z.string(),
  decidedBy: z.string(),
  reasons: z.array(z.object({ code: z.string() })),
  evidence: z.array(z.string()),
  outcome: z.string().nullable(),
  command: z.string(),
  signals: z.array(z.object({ signal: z.string(), target: z.string(), pids: z.array(z.number()), result: z.string() })),
  survivors: z.array(z.object({ pid: z.number(), args: z.string() })),
  processes: z.array(z.object({ pid: z.number(), args: z.string(), rssBytes: z.number() })),
  freed: z.object({ processes: z.number(), rssBytes: z.number(), ports: z.array(z.number()) }),
  events: z.array(z.object({ kind: z.string(), pids: z.array(z.number()).optional() })),
});
type Incident = z.infer<typeof record>;
type Sent = Incident['signals'][number];

/** What the record is held against. */
export interface Facts {
  readonly jobs: readonly CastJob[];
  readonly innocents: readonly Innocent[];
  /** Who came meanwhile; their pids may be on record for those who had them before. */
  readonly strangers: readonly Innocent[];
  /** Something else than Curfew may have ended processes of jobs. */
  readonly changed: boolean;
  /** Something else than the jobs themselves may have stopped processes of jobs. */
  readonly stopped: boolean;
  /** The most memory that a process of a job ever held before Curfew came, in bytes. */
  readonly maxBytes: number;
  /** What `curfew history --json` says of that machine. */
  readonly history: readonly unknown[];
}

/** Ports of the scene's loopback with a listener. */
const listening = (stage: Scene): ReadonlySet<number> =>
  new Set(
    stage
      .read('/proc/1/net/tcp')
      .split('\n')
      .map((line) => line.trim().split(/\s+/u))
      .filter(([, , , state]) => state === '0A')
      .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16)),
  );

/** Whether that process of a job has its pid still, as far as a record lets it be told. */
const isStill = (stage: Scene, pid: number, args: string): boolean => {
  const row = stage.row(pid);
  return lives(row) && row.argv.join(' ') === args;
};

/**
 * Freed is what was counted once, of processes that are dead, and what no process holds any more.
 */
const checkFreed = (
  stage: Scene,
  incidents: readonly Incident[],
  { jobs, strangers, changed, maxBytes }: Facts,
): void => {
  const workers = new Set(jobs.flatMap(({ number }) => [...aliveIn(readDiary(stage, number))]));
  const open = listening(stage);
  for (const [job, all] of Map.groupBy(incidents, (one) => one.job)) {
    const known = new Set<number>();
    let counted = 0;
    for (const { processes, signals, survivors, freed, outcome, events } of all) {
      // One by one, because a newcomer can have the pid of a dead process.
      const dead = events.flatMap(({ kind, pids }) => (kind === 'died' ? (pids ?? []) : []));
      expect(freed.processes, `freed of ${job}, of those who are said to have died`).toBeLessThanOrEqual(dead.length);
      const wasAnother = (pid: number, args: string): boolean =>
        processes.some((one) => one.pid === pid && one.args !== args);
      expect(
        survivors.filter(({ pid, args }) => dead.includes(pid) && !wasAnother(pid, args) && isStill(stage, pid, args)),
        `survivors of ${job} who are said to have died`,
      ).toEqual([]);
      for (const { pid } of processes) known.add(pid);
      for (const { pids } of signals) for (const pid of pids) known.add(pid);
      counted += freed.processes;
      // No process of a job holds much more than the others of its kind.
      expect(freed.rssBytes, `memory of ${job} at most`).toBeLessThanOrEqual(freed.processes * maxBytes * 1.6);
      if (!signals.some(({ result }) => result === 'sent'))
        expect(freed, `freed of ${job}, which heard nothing`).toEqual({ processes: 0, rssBytes: 0, ports: [] });
      // What is left was not freed.
      for (const { pid, args } of survivors) if (isStill(stage, pid, args)) known.delete(pid);
      expect(
        freed.ports.filter((port) => open.has(port)),
        `ports of ${job} said to be free`,
      ).toEqual([]);
      if (outcome !== 'reaped' && outcome !== 'killed') continue;
      expect(survivors, `an incident of ${job} that is ${outcome}`).toEqual([]);
      // Who ended by himself before he was held is not among the freed; workers don't.
      if (!changed) {
        const lasting = processes.filter(({ pid }) => workers.has(pid));
        expect(freed.processes, `freed of ${job}`).toBeGreaterThanOrEqual(lasting.length);
        // What workers share (their program, libraries) counts as shares of it.
        const [bytes, share] = [lasting.reduce((sum, { rssBytes }) => sum + rssBytes, 0), 0.02];
        expect(freed.rssBytes, `memory of ${job}`).toBeGreaterThanOrEqual(bytes * share);
      }
      // Its pid may be another's by now: of a stranger, or of what another job has just started.
      for (const { pid, args } of processes) {
        const isIt = args.includes('job-') && isStill(stage, pid, args);
        if (!strangers.some(({ identity }) => identity.pid === pid))
          expect(isIt, `${pid} ${args} of ${job}, ${outcome}, lives`).toBe(false);
      }
    }
    if (!changed) expect(counted, `processes of ${job} that were counted as freed`).toBeLessThanOrEqual(known.size);
  }
};

const fromKernel = new Set(['HUP', 'CONT']);

/**
 * How often the record says that a process was sent that signal, by its pid or as one of its group.
 */
const timesOnRecord = (sent: readonly Sent[], pid: number, group: number, name: string): number =>
  sent.filter(({ signal, target, pids }) => signal === name && (pids.includes(pid) || target === `group ${group}`))
    .length;

const isSent = ({ result }: Sent): boolean => result === 'sent';

/**
 * Holds the history against what the processes themselves wrote: every signal is on record with who
 * decided and why, none names an innocent, and what is said to be free is. Returns how many
 * signals were sent.
 */
export const checkRecord = (stage: Scene, plan: WorldPlan, facts: Facts): number => {
  const { jobs, innocents, changed, stopped } = facts;
  const incidents = z.array(record).parse(facts.history);
  const inHistory = incidents.flatMap(({ signals }) => signals).filter(isSent);
  // Only a run that overstayed gets into the history; each has its own record.
  const sent = plan.by === 'run' ? signalsOfRuns(stage).filter(isSent) : inHistory;
  const spared = new Set(innocents.map(({ identity }) => identity.pid));
  for (const { reasons, evidence, decidedBy, outcome, job } of incidents) {
    expect(reasons.length, 'each incident has its reasons').toBeGreaterThan(0);
    expect(evidence.length, 'and its evidence').toBeGreaterThan(0);
    expect(decidedBy).toBe(plan.by === 'reap' || plan.by === 'remote' ? 'command' : 'rule');
    expect(outcome, `the end of ${job} is on record`).not.toBeNull();
  }
  expect(
    [...inHistory, ...sent].flatMap(({ pids }) => pids).filter((pid) => spared.has(pid)),
    'innocents on record',
  ).toEqual([]);
  for (const { number, kind } of jobs)
    for (const all of Map.groupBy(heardIn(readDiary(stage, number)), ({ pid, what }) => `${what} to ${pid}`).values())
      for (const { pid, group, what } of all.slice(0, 1))
        // The kernel sends HUP and CONT to a group that stands still when the last of those above
        // it ends.
        if (!fromKernel.has(what) || (kind !== 'stopped' && !stopped))
          // Two of a kind may be heard as one, and never one as two.
          expect(all.length, `${what} to ${pid} of ${kind}, as often as on record`).toBeLessThanOrEqual(
            timesOnRecord(sent, pid, group, what),
          );
  checkFreed(stage, incidents, facts);
  if (!changed)
    for (const { number } of jobs.filter(
      ({ due, kind, begunBy }) =>
        due === 'due' && kind === 'serves' && begunBy.kind === 'session' && begunBy.plan.fate === 'crashes',
    ))
      expect(incidents.flatMap(({ freed }) => freed.ports)).toContain(portOf(number));
  return sent.length;
};
