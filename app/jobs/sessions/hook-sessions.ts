import { knownBy } from '../../model/owner-sign.ts';
import type { AgentId, AgentSessionId } from '../../agents/common/agent-id.ts';
import { programOf } from '../../agents/signatures.ts';
import type { Pid, ProcessIdentity } from '../../process/identity.ts';
import { type ProcessRow, hasEnded } from '../../process/row.ts';
import { type ProcessTable, identityOf, rowOf, startedAtMs } from '../../process/table.ts';
import type { HookEvent } from './hook-event.ts';
import type { Adoption, AgentSession, SessionState } from '../../model/session.ts';

export interface HookedSession {
  readonly agent: AgentId;
  readonly id: AgentSessionId;
  readonly project: string | null;
  /** The agent's process, a hook's ancestor that the table showed as that agent; null: none was. */
  readonly process: ProcessIdentity | null;
  /** Its latest event, wall clock in milliseconds. */
  readonly lastMs: number;
  /** It said that it ends; null: it did not, or began again since. */
  readonly ended: { readonly atMs: number; readonly reason: string | null } | null;
  readonly continues: AgentSessionId | null;
  /** Background commands that it ever told of, the latest. */
  readonly tasks: readonly string[];
  /** Those of them that ran at the end of its latest reply. */
  readonly running: readonly string[];
}

/** Sessions that are remembered, the latest. */
const maxSessions = 512;
/** A dead session is of interest as long as its leftovers may be, milliseconds. */
const rememberedMs = 48 * 3600_000;
/** "Move to background" ends one session and begins the next, milliseconds apart at most. */
const forkWindowMs = 120_000;

/** Background commands of a session that are remembered, the latest. */
const maxTasks = 256;

/** Reasons that end a conversation but not the process that holds its background commands. */
const goesOn: ReadonlySet<string> = new Set(['clear', 'resume', 'compact']);

/** The agent's process among a row and its ancestors. */
const fromRow = (start: ProcessRow, agent: AgentId, table: ProcessTable): ProcessIdentity | null => {
  const seen = new Set<Pid>();
  let row: ProcessRow | undefined = start;
  while (row !== undefined && !seen.has(row.pid)) {
    if (!hasEnded(row) && programOf(row) === agent) return identityOf(table, row);
    seen.add(row.pid);
    row = table.rows.get(row.ppid);
  }
  return null;
};

/**
 * The nearest ancestor of a hook that is the agent. From one that still lives the table shows the
 * way up, also where a script sees only its parent.
 */
const recognised = (event: HookEvent, table: ProcessTable): ProcessIdentity | null => {
  for (const { pid, startTicks } of event.ancestors) {
    const row = table.rows.get(pid);
    const same =
      row !== undefined &&
      (startTicks === null ? startedAtMs(table, row.startTicks) <= event.atMs : row.startTicks === startTicks);
    if (same) return fromRow(row, event.agent, table);
  }
  return null;
};

const keyOf = (session: Pick<HookedSession, 'agent' | 'id'>): string => `${session.agent}/${session.id}`;

/** The session that a forked one goes on with: of the same project, just ended or about to. */
const forkedFrom = (event: HookEvent, known: Iterable<HookedSession>): AgentSessionId | null => {
  if (event.kind !== 'session-start' || event.source !== 'fork' || event.project === null) return null;
  let latest: HookedSession | null = null;
  for (const one of known) {
    if (one.agent !== event.agent || one.project !== event.project || one.id === event.session) continue;
    if (Math.abs(event.atMs - one.lastMs) <= forkWindowMs && (latest === null || one.lastMs > latest.lastMs))
      latest = one;
  }
  return latest?.id ?? null;
};

/** Background commands of an event, and those that run by its word; null: it doesn't say. */
const tasksIn = (
  event: HookEvent,
): { readonly told: readonly string[]; readonly running: readonly string[] | null } => {
  if (event.kind === 'tool') return { told: event.task === null ? [] : [event.task], running: null };
  if (event.kind !== 'stop' || event.backgroundTasks === null) return { told: [], running: null };
  const running = event.backgroundTasks.filter(({ status }) => status === null || status === 'running');
  return { told: event.backgroundTasks.map(({ id }) => id), running: running.map(({ id }) => id) };
};

const after = (event: HookEvent, before: HookedSession | undefined, table: ProcessTable): HookedSession => {
  const final = event.kind === 'session-end' && !goesOn.has(event.reason ?? '');
  // A sign of life takes back an end that came before it; one that was overtaken by the end on its
  // way doesn't.
  const later = before?.ended == null || event.atMs > before.ended.atMs;
  const { told, running } = tasksIn(event);
  return {
    agent: event.agent,
    id: event.session,
    project: event.project ?? before?.project ?? null,
    process: recognised(event, table) ?? before?.process ?? null,
    lastMs: Math.max(event.atMs, before?.lastMs ?? 0),
    ended: final ? { atMs: event.atMs, reason: event.reason } : later ? null : (before?.ended ?? null),
    continues: before?.continues ?? null,
    tasks: [...new Set([...(before?.tasks ?? []), ...told])].slice(-maxTasks),
    // An older list that comes again says nothing.
    running: (running !== null && event.atMs >= (before?.lastMs ?? 0) ? running : (before?.running ?? [])).slice(
      -maxTasks,
    ),
  };
};

const worthKeeping = (session: HookedSession, table: ProcessTable): boolean =>
  (session.process !== null && rowOf(table, session.process) !== null) ||
  table.takenAtMs - session.lastMs < rememberedMs;

/**
 * What is known of sessions after these events. Order and repetition don't matter: taking the same
 * events twice gives the same. Call it soon after the events, because the agent behind a hook can
 * only be recognised while it lives.
 */
export const registerHookEvents = (
  register: readonly HookedSession[],
  events: readonly HookEvent[],
  table: ProcessTable,
): readonly HookedSession[] => {
  const sessions = new Map(register.map((session) => [keyOf(session), session]));
  for (const event of events.toSorted((left, right) => left.atMs - right.atMs)) {
    const key = keyOf({ agent: event.agent, id: event.session });
    const session = after(event, sessions.get(key), table);
    const origin = forkedFrom(event, sessions.values());
    sessions.set(key, origin === null ? session : { ...session, continues: origin });
  }
  return [...sessions.values()]
    .filter((session) => worthKeeping(session, table))
    .toSorted((left, right) => left.lastMs - right.lastMs)
    .slice(-maxSessions);
};

const stateOf = (session: HookedSession, table: ProcessTable): SessionState | null => {
  if (session.process === null) return session.ended === null ? null : 'gone';
  const row = rowOf(table, session.process);
  if (row !== null && !hasEnded(row)) return session.ended === null ? 'live' : 'unknown';
  return table.complete || session.ended !== null ? 'gone' : 'unknown';
};

/** Other sessions of which a living one counts a command among its own. */
const byTasks = (
  session: HookedSession,
  by: ProcessIdentity,
  register: readonly HookedSession[],
): readonly Adoption[] => {
  const running = new Set(session.running);
  return register.flatMap(({ agent, id, tasks }): Adoption[] => {
    const task = tasks.find((one) => running.has(one));
    if (agent !== session.agent || id === session.id || task === undefined) return [];
    return [
      {
        agent,
        session: id,
        by,
        evidence: knownBy('session {id} reports its background command {task}', { id: session.id, task }),
      },
    ];
  });
};

/**
 * The register as entries of a SessionDirectory. `live`: the agent's process lives and the session
 * has not said that it ends. `unknown`: it said so, but its process is still there. `gone`: its
 * process has ended, or it said that it ends and no process of it was ever known. A session whose
 * agent was never recognised and that didn't end is left out: nothing is known of it.
 *
 * A `gone` here is never the last word: moving a session to the background ends it too, so the
 * directory's adoptions come first, and this gives one itself while a session lives that was forked
 * off in the same project at the time, or that counts a command of it among its own.
 */
export const sessionsFromEvents = (
  register: readonly HookedSession[],
  table: ProcessTable,
): { readonly sessions: readonly AgentSession[]; readonly adoptions: readonly Adoption[] } => {
  const sessions: AgentSession[] = [];
  const adoptions: Adoption[] = [];
  for (const session of register) {
    const state = stateOf(session, table);
    if (state === null) continue;
    const { agent, id, project, process, continues } = session;
    const living = state === 'gone' ? null : process;
    sessions.push({
      agent,
      id,
      process: living,
      pid: process?.pid ?? null,
      state,
      project,
      source: 'its hooks',
      claimant: true,
    });
    if (continues !== null && living !== null) {
      const evidence = knownBy('session {id} was forked off in the same project when it ended', { id });
      adoptions.push({ agent, session: continues, by: living, evidence });
    }
    if (living !== null) adoptions.push(...byTasks(session, living, register));
  }
  return { sessions, adoptions };
};
