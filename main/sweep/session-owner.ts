import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { startedAtMs } from '../../app/process/table.ts';
import type { SessionState } from '../../app/jobs/model/session.ts';
import type { FileOwner, TranscriptState } from '../../app/sweep/stale-file.ts';
import type { Look } from '../observing/look.ts';
import { agentRows } from './world.ts';

/** The transcripts of an agent. */
export interface Transcripts {
  /** The last change of each by session, epoch milliseconds. */
  readonly changedMs: ReadonlyMap<string, number>;
  /** All folders in which one may lie were read. */
  readonly complete: boolean;
}

/** A transcript that was not written for so long is not expected to be resumed, milliseconds. */
const oldMs = 30 * 86_400_000;
const slackMs = 5000;

const idleSpare = /^claude bg-/u;

const transcriptOf = (session: string, transcripts: Transcripts, nowMs: number): TranscriptState => {
  const changedMs = transcripts.changedMs.get(session);
  if (changedMs !== undefined) return nowMs - changedMs >= oldMs ? 'old' : 'kept';
  return transcripts.complete ? 'gone' : 'unknown';
};

/**
 * Whether a session still runs, by what proves its end: its registry, readable and complete, and no
 * process of the agent that could be it. A session that is merely not listed is gone only where its
 * transcript lies beside the registry, or no agent is as old as its last output.
 */
const stateOf = (agent: AgentId, session: string, usedMs: number, hasTranscript: boolean, look: Look): SessionState => {
  const { table, directory, jobs } = look;
  if (directory === undefined || !table.complete) return 'unknown';
  const entries = directory.sessions.filter((one) => one.agent === agent);
  const own = entries.filter(({ id }) => id === session);
  if (own.some(({ state }) => state === 'live')) return 'live';
  if (directory.adoptions.some((one) => one.agent === agent && one.session === session)) return 'live';
  if ([...jobs.values()].some(({ job }) => job.agent === agent && job.session === session)) return 'live';
  const isUnclear =
    !directory.completeFor.has(agent) ||
    directory.opaqueFor.has(agent) ||
    directory.unclear.some((one) => one.agent === agent && (one.session === null || one.session === session)) ||
    own.some(({ state }) => state !== 'gone') ||
    // A process of the agent that no registry names can be any session.
    entries.some(
      ({ id, state, pid }) =>
        id === null && state !== 'gone' && !(pid !== null && idleSpare.test(table.rows.get(pid)?.argv[0] ?? '')),
    );
  if (isUnclear) return 'unknown';
  if (own.length > 0 || hasTranscript) return 'gone';
  const older = agentRows(agent, look).some((row) => startedAtMs(table, row.startTicks) <= usedMs + slackMs);
  return older ? 'unknown' : 'gone';
};

/** Returns what is known of the session whose id is in the path of a file. */
export const sessionOwner = (
  agent: AgentId,
  session: string,
  usedMs: number,
  transcripts: Transcripts,
  look: Look,
): FileOwner => {
  const transcript = transcriptOf(session, transcripts, look.table.takenAtMs);
  const hasTranscript = transcript === 'kept' || transcript === 'old';
  return { kind: 'session', state: stateOf(agent, session, usedMs, hasTranscript, look), transcript };
};
