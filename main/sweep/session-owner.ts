import { parseJson } from '../../app/format/json.ts';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { AgentId } from '../../app/agents/common/agent-id.ts';
import { once } from '../../app/format/once.ts';
import type { AgentSession, SessionState } from '../../app/model/session.ts';
import type { FileOwner, TranscriptState } from '../../app/sweep/stale-file.ts';
import { filesHere } from '../os/files/small-file.ts';
import type { Agents } from './world.ts';

export interface Transcripts {
  /**
   * When the agent clears away that of each session, epoch milliseconds: the last of several.
   * Infinity: not known, or never.
   */
  readonly clearedMs: ReadonlyMap<string, number>;
  /** Sessions that others name which can still be resumed, as their forks do; null: unknown. */
  readonly mentioned: () => ReadonlySet<string> | null;
  /** Sessions of which any look saw one. */
  readonly seen: ReadonlySet<string>;
  /** Sessions of which one lies in the user's own folders of the agent. */
  readonly found: ReadonlySet<string>;
  /** These folders: in the home, and what the caller names. */
  readonly own: readonly string[];
  /** All folders in which one may lie are known and were read. */
  readonly complete: boolean;
}

const slackMs = 5000;

const idleSpare = /^claude bg-/u;

/**
 * A transcript is gone only where there was one: a look saw it, or the registry beside it names its
 * session, in a folder of the user's own. One that was never found may lie in a folder of which
 * Curfew knows nothing.
 */
const transcriptOf = (
  session: string,
  { clearedMs, mentioned, seen, own, complete }: Transcripts,
  entries: readonly AgentSession[],
  nowMs: number,
): TranscriptState => {
  const atMs = clearedMs.get(session);
  if (atMs !== undefined && nowMs < atMs) return 'kept';
  const isTied = entries.some(({ source }) => own.includes(dirname(dirname(source))));
  if (!complete || (atMs === undefined && !isTied && !seen.has(session))) return 'unknown';
  const others = mentioned();
  if (others === null) return 'unknown';
  if (others.has(session)) return 'kept';
  return atMs === undefined ? 'gone' : 'old';
};

const fullEntrySchema = once(() => z.object({ pidDomain: z.string().min(1) }));

/**
 * Whether an entry of a registry says in which pid namespace its process was. One that doesn't may
 * be of a sandbox, another machine, or an agent that starts: then a dead pid proves nothing.
 */
const saysWhere = ({ source }: AgentSession, uid: number): boolean => {
  const file = filesHere.text(source, uid);
  return file.state === 'read' && fullEntrySchema().safeParse(parseJson(file.value)).success;
};

/**
 * Whether a session still runs, by what proves its end: its registry, readable and complete, and no
 * process of the agent that could be it. A session that is merely not listed is gone only where its
 * transcript lies beside the registry, or no agent is as old as its last output.
 */
const stateOf = (
  agent: AgentId,
  session: string,
  usedMs: number,
  hasTranscript: boolean,
  agents: Agents,
): SessionState => {
  const { table, directory, jobs } = agents.look;
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
    own.some((one) => one.state !== 'gone' || !saysWhere(one, table.uid)) ||
    // A process that could be the agent under another name can be any session.
    agents.possible.length > 0 ||
    // A process of the agent that no registry names can be any session.
    entries.some(
      ({ id, state, pid }) =>
        id === null && state !== 'gone' && !(pid !== null && idleSpare.test(table.rows.get(pid)?.argv[0] ?? '')),
    );
  if (isUnclear) return 'unknown';
  if (own.length > 0 || hasTranscript) return 'gone';
  return agents.sinceMs.some((sinceMs) => sinceMs <= usedMs + slackMs) ? 'unknown' : 'gone';
};

/** Returns what is known of the session whose id is in the path of a file. */
export const sessionOwner = (
  agent: AgentId,
  session: string,
  usedMs: number,
  transcripts: Transcripts,
  agents: Agents,
): FileOwner => {
  const { look } = agents;
  const own = look.sessions.filter((one) => one.agent === agent && one.id === session);
  const transcript = transcriptOf(session, transcripts, own, look.table.takenAtMs);
  const hasTranscript = transcript === 'kept' || transcript === 'old';
  return { kind: 'session', state: stateOf(agent, session, usedMs, hasTranscript, agents), transcript };
};
