import type { AgentId } from '../agents/common/agent-id.ts';
import type { Job } from '../model/job.ts';
import type { Idle } from '../model/reach.ts';
import type { Pid } from '../process/identity.ts';
import { isResting } from './idle.ts';

/** An agent or a job that is at work, or may be. */
export type AtWork =
  | { readonly what: 'agent'; readonly agent: AgentId; readonly pid: Pid }
  | { readonly what: 'job'; readonly agent: AgentId; readonly job: Job['id'] };

/** Whether anything of an agent is at work on a machine. */
export interface Quiet {
  /** Since when nothing is, wall clock, milliseconds; null: something is, or there is nothing. */
  readonly sinceMs: number | null;
  readonly atWork: readonly AtWork[];
}

interface Seen {
  readonly agents: readonly { readonly agent: AgentId; readonly pid: Pid; readonly idle: Idle }[];
  readonly jobs: readonly Pick<Job, 'id' | 'agent' | 'kind' | 'silentSeconds'>[];
  readonly nowMs: number;
}

/**
 * Says whether any agent or job is at work, and since when none is. What is not known counts as at
 * work: the machine may be switched off by the answer. A server works only for its agent.
 */
export const quietOf = ({ agents, jobs, nowMs }: Seen): Quiet => {
  const resting = agents.flatMap(({ idle }) => (isResting(idle) && idle.state !== 'spinning' ? [idle.sinceMs] : []));
  const commands = jobs.filter(({ kind }) => kind !== 'server');
  const atWork: readonly AtWork[] = [
    ...agents
      .filter(({ idle }) => !isResting(idle) || idle.state === 'spinning')
      .map(({ agent, pid }): AtWork => ({ what: 'agent', agent, pid })),
    ...commands
      .filter(({ silentSeconds }) => silentSeconds <= 0)
      .map(({ agent, id }): AtWork => ({ what: 'job', agent, job: id })),
  ];
  const silent = commands.map(({ silentSeconds }) => nowMs - silentSeconds * 1000);
  const latest = Math.max(...resting, ...silent);
  return { sinceMs: atWork.length > 0 || !Number.isFinite(latest) ? null : Math.min(latest, nowMs), atWork };
};

/** Whether nothing was at work for this many seconds. */
export const isQuietFor = ({ sinceMs, atWork }: Quiet, seconds: number, nowMs: number): boolean =>
  atWork.length === 0 && (sinceMs === null || nowMs - sinceMs >= seconds * 1000);
