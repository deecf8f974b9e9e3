import type { AgentId, AgentSessionId } from '../../agents/common/agent-id.ts';
import type { HookedSession } from './hook-sessions.ts';
import type { Job } from '../../model/job.ts';
import type { AgentSession } from '../../model/session.ts';

/** A session whose hooks just told its end: no proof, as it may go on in the background. */
export interface EndedSession {
  readonly agent: AgentId;
  readonly id: AgentSessionId;
  /** Wall clock, milliseconds. */
  readonly atMs: number;
}

/** Milliseconds, an orphan's default grace; after that the ages of the settings decide. */
const recentMs = 600_000;

/**
 * Milliseconds for an agent to exit after it announced that, and for what it left to be ended;
 * after them looks are as far apart as ever.
 */
const hurryMs = 60_000;

/** Sessions that told by hook a short while ago that they end, and did not begin again. */
export const endedSessions = (register: readonly HookedSession[], nowMs: number): readonly EndedSession[] =>
  register.flatMap(({ agent, id, ended }) =>
    ended !== null && Math.abs(nowMs - ended.atMs) <= recentMs ? [{ agent, id, atMs: ended.atMs }] : [],
  );

/** Whether a job's own session is among those. */
export const isOfEnded = (job: Pick<Job, 'agent' | 'session'>, ended: readonly EndedSession[]): boolean =>
  ended.some(({ agent, id }) => agent === job.agent && id === job.session);

/**
 * Whether looks are to follow each other closely: a session told a moment ago that it ends, and has
 * not exited yet or has left something.
 */
export const hurriesAfter = (
  ended: readonly EndedSession[],
  sessions: readonly AgentSession[],
  jobs: Iterable<Pick<Job, 'agent' | 'session'>>,
  nowMs: number,
): boolean => {
  const fresh = ended.filter(({ atMs }) => Math.abs(nowMs - atMs) <= hurryMs);
  if (fresh.length === 0) return false;
  const exits = ({ agent, id }: EndedSession): boolean =>
    sessions.some((session) => session.agent === agent && session.id === id && session.state !== 'gone');
  return fresh.some(exits) || [...jobs].some((job) => isOfEnded(job, fresh));
};
