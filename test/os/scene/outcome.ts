import { expect } from 'vitest';
import { history, jobWith, type ReapOptions, reapOrphans, scan } from './curfew.ts';
import { type Innocent, expectGone, expectUntouched, innocent } from './innocents.ts';
import { FakeClaude } from './claude.ts';
import { codex } from './other-agents.ts';
import type { Identity } from './processes.ts';
import type { Incident, Reap, Scan, ScannedJob } from './schemas.ts';
import type { Scene } from './scene.ts';

/** Facts about a leftover before Curfew scans. */
export interface Leftover {
  /** All living processes of the job, pinned before. */
  readonly processes: readonly Identity[];
  readonly agent?: string;
  readonly session: string | null;
  readonly project: string;
  /** As the agent requested it; null if it left no trace. */
  readonly command: string | null;
  /** No look saw it below its agent and nothing else witnesses that: marks alone name it. */
  readonly claimed?: true;
}

/** Result of reaping it. */
export interface Ending {
  readonly job: ScannedJob;
  readonly incident: Incident;
}

/**
 * An open session of the same agent with a dev server and a silent task: these must always stay.
 */
export const livingSession = async (stage: Scene): Promise<readonly Innocent[]> => {
  const claude = await FakeClaude.start(stage, { project: `${stage.home}/living` });
  const server = await innocent(
    stage,
    {
      argv: ['node', 'living-server.js'],
      cwd: claude.project,
      parent: claude.actor,
      env: claude.environment(),
      setsid: true,
    },
    { port: 5199 },
  );
  const call = await claude.bash('sleep 9999 | tee /dev/null');
  return [
    server,
    { what: 'the silent task of a living session', identity: call.shell, diary: null },
    { what: 'a living agent', identity: claude.identity, diary: null },
  ];
};

/**
 * Pins processes by parts of their command lines; waits for each. One of several alike may exit
 * right after it was seen.
 */
export const pinned = async (stage: Scene, ...lines: readonly string[]): Promise<readonly Identity[]> =>
  Promise.all(
    lines.map(async (line) => {
      const { pid, start } = await stage.find(line, (row) => row.argv.join(' ') === line);
      return { pid, start };
    }),
  );

/** The pids of all members. */
export const pidsOf = (jobs: readonly ScannedJob[]): ReadonlySet<number> =>
  new Set(jobs.flatMap((job) => job.members.map((member) => member.pid)));

/**
 * Ends leftovers. Those that are only claimed are ended by `--probable` alone: a pass without it
 * touches none.
 */
const reapProven = async (
  stage: Scene,
  processes: readonly Identity[],
  claimed: boolean,
  options: ReapOptions,
): Promise<Reap> => {
  if (!claimed) return reapOrphans(stage, options);
  expect((await reapOrphans(stage, options)).incidents).toEqual([]);
  for (const one of processes) expect(stage.lives(one)).toBe(true);
  return reapOrphans(stage, { ...options, probable: true });
};

/**
 * Fails unless the leftover is found as one job with a closed session and the right owner, is ended
 * completely by `curfew reap`, is recorded, and nothing else was signalled.
 */
export const expectReaped = async (
  stage: Scene,
  leftover: Leftover,
  innocents: readonly Innocent[] = [],
  options: ReapOptions = {},
): Promise<Ending> => {
  const { processes, agent = 'claude-code', session, project, command, claimed } = leftover;
  const look = await scan(stage);
  const job = jobWith(look, processes[0]?.pid ?? 0);
  // Of what is only claimed the end of its session may be unproved, where nothing lives that could
  // own it.
  const owner = claimed === true && job.owner === 'unknown' ? 'gone' : job.owner;
  const doubts = owner === 'gone' ? [] : job.verdict.reasons;
  expect({ agent: job.agent, session: job.session, project: job.project, owner, doubts }).toEqual({
    agent,
    session,
    project,
    owner: 'gone',
    doubts: [],
  });
  expect([job.proof === 'claimed', job.verdict.state === 'probable']).toEqual([claimed === true, claimed === true]);
  if (command !== null) expect(job.command).toBe(command);
  expect(pidsOf([job])).toEqual(new Set(processes.map(({ pid }) => pid)));

  const reaping = await reapProven(stage, processes, claimed === true, options);
  const incident = reaping.incidents.find((each) => each.job === job.id);
  if (incident === undefined) throw new Error(`no incident of job ${job.id} in\n${JSON.stringify(reaping, null, 1)}`);
  expect(incident).toMatchObject({ agent, survivors: [] });
  expect(['reaped', 'killed']).toContain(incident.outcome);
  expect(incident.freed.processes).toBe(processes.length);
  expectGone(stage, processes);
  expectUntouched(stage, innocents);
  const record = await history(stage);
  expect(record.find((each) => each.id === incident.id)).toMatchObject({
    job: job.id,
    agent,
    outcome: incident.outcome,
  });
  return { job, incident };
};

/** The agent of the leftover that must be ended: one of which every process is known. */
export type VictimOf = 'claude-code' | 'codex';

/** Leaves what a look saw below its agent, which is killed. */
const leftByVictim = async (stage: Scene, victimOf: VictimOf): Promise<readonly Identity[]> => {
  const project = `${stage.home}/victim`;
  if (victimOf === 'codex') {
    const victim = await codex(stage, project);
    const shell = await victim.shell('sleep 7777 | cat');
    const victims = [shell, ...(await pinned(stage, 'sleep 7777'))];
    await scan(stage);
    await victim.crash();
    return victims;
  }
  const victim = await FakeClaude.start(stage, { project });
  const call = await victim.bash('sleep 7777 | cat');
  const victims = [call.shell, ...(await pinned(stage, 'sleep 7777'))];
  await victim.crash();
  return victims;
};

/**
 * Fails unless `curfew reap` spares the innocents while it ends the leftover of another session,
 * which is added here: a pass that does nothing spares everything. Returns the scan before it.
 */
export const expectSpared = async (
  stage: Scene,
  innocents: readonly Innocent[],
  victimOf: VictimOf = 'claude-code',
): Promise<Scan> => {
  const victims = await leftByVictim(stage, victimOf);
  const look = await scan(stage, ['--all']);
  const reaping = await reapOrphans(stage);
  expectUntouched(stage, innocents);
  const hit = reaping.incidents.flatMap((incident) =>
    incident.signals.filter((signal) => signal.result === 'sent').flatMap((signal) => signal.pids),
  );
  expect(innocents.filter(({ identity }) => hit.includes(identity.pid))).toEqual([]);
  expectGone(stage, victims);
  return look;
};

/**
 * Fails unless `curfew reap` ends all of these, in any number of jobs, and nothing else; with
 * `probable`, only by that option.
 */
export const expectAllReaped = async (
  stage: Scene,
  processes: readonly Identity[],
  innocents: readonly Innocent[] = [],
  options: ReapOptions = {},
): Promise<Reap> => {
  const { probable, ...others } = options;
  const reaping = await reapProven(stage, processes, probable === true, others);
  expect(reaping.incidents.flatMap((incident) => incident.survivors)).toEqual([]);
  // Why it was not ended is known only at the time: a later look may see other processes.
  if (processes.some((one) => stage.lives(one)))
    throw new Error(
      `not ended by\n${JSON.stringify(reaping, null, 1)}\n${JSON.stringify(await scan(stage, ['--all']), null, 1)}`,
    );
  expectGone(stage, processes);
  expectUntouched(stage, innocents);
  return reaping;
};
