import { expect } from 'vitest';
import { jobWith, reap, scan } from '../scene/curfew.ts';
import { bystander, expectGone, expectUntouched, type Innocent } from '../scene/innocents.ts';
import type { Identity } from '../scene/processes.ts';
import type { Reap } from '../scene/schemas.ts';
import type { Scene } from '../scene/scene.ts';
import { agentIdOf, ServingAgent, type ServerStyle } from '../scene/servers.ts';

/** A living session of the same agent with a server of its own beside everything: it must stay. */
export const besides = async (stage: Scene, style: ServerStyle): Promise<readonly Innocent[]> => {
  const agent = await ServingAgent.start(stage, style);
  const { pid } = await agent.serve('wrapped');
  return [
    bystander(stage, 'a living agent', agent.actor.pid),
    ...agent.tree(pid).map((one) => bystander(stage, 'the server of a living session', one.pid)),
  ];
};

/** Ends whatever is due at once, as a script or a timer does. */
export const reapNow = (stage: Scene, ...more: readonly string[]): Promise<Reap> =>
  reap(stage, ['--max-age', '0s', '--grace', '1s', ...more]);

/** Fails unless a scan calls the server left over, and a pass ends all of it and nothing else. */
export const expectEnded = async (
  stage: Scene,
  agent: ServingAgent,
  processes: readonly Identity[],
  innocents: readonly Innocent[],
): Promise<void> => {
  const [root] = processes;
  const job = jobWith(await scan(stage), root?.pid ?? 0);
  const told = JSON.stringify(job, null, 1);
  expect(
    { kind: job.kind, agent: job.agent, owner: job.owner, state: job.verdict.state, vetoes: job.vetoes },
    `found as ${told}`,
  ).toEqual({ kind: 'server', agent: agentIdOf[agent.style], owner: 'gone', state: 'orphaned', vetoes: [] });
  expect(job.verdict.reasons.map(({ code }) => code)).toContain('closed-ends');
  expect(new Set(job.members.map(({ pid }) => pid)), `found as ${told}`).toEqual(
    new Set(processes.map(({ pid }) => pid)),
  );
  const { incidents } = await reapNow(stage);
  expect(incidents.flatMap(({ survivors }) => survivors)).toEqual([]);
  expect(incidents.map(({ job: id }) => id)).toEqual([job.id]);
  expectGone(stage, processes);
  expectUntouched(stage, innocents);
};

/**
 * Fails if anything of it is due, or if a pass touches it. Gives the reasons that `scan --all`
 * shows.
 */
export const expectLeft = async (stage: Scene, processes: readonly Identity[]): Promise<readonly string[]> => {
  const left = processes.map(({ pid }) => bystander(stage, 'what is left alone', pid));
  const pids = new Set(processes.map(({ pid }) => pid));
  const isOf = ({ members }: { readonly members: readonly { readonly pid: number }[] }): boolean =>
    members.some(({ pid }) => pids.has(pid));
  const shown = (await scan(stage)).jobs.filter(isOf);
  expect(shown, `shown: ${JSON.stringify(shown, null, 1)}`).toEqual([]);
  const jobs = (await scan(stage, ['--all'])).jobs.filter(isOf);
  expect(jobs.map(({ verdict }) => verdict.action)).toEqual(jobs.map(() => 'none'));
  const { incidents } = await reapNow(stage);
  expect(incidents).toEqual([]);
  const named = await reapNow(stage, '--kind', 'server');
  expect(named.incidents).toEqual([]);
  expectUntouched(stage, left);
  return jobs.flatMap(({ verdict }) =>
    verdict.reasons.map(({ code, figures = {} }) => [code, figures['why'] ?? figures['veto'] ?? ''].join(' ').trim()),
  );
};
