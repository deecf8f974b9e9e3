import { resumeOf } from '../agents/names.ts';
import { inWordsOfKeys, type Said } from '../format/said.ts';
import { redactProcess } from '../format/secrets/redact.ts';
import type { Draft } from '../jobs/find/draft.ts';
import { jobIdOf } from '../jobs/ledger/job-id.ts';
import type { LedgerEntry } from '../jobs/ledger/ledger.ts';
import type { Job, JobId, Owner } from '../model/job.ts';
import { knownBy } from '../model/owner-sign.ts';
import type { Reach } from '../model/reach.ts';
import type { AgentSession } from '../model/session.ts';
import { exemptionOf } from '../judge/exemptions.ts';
import { exemptReason, reason, vetoReasons } from '../judge/reasons.ts';
import type { Reason, Verdict, Veto } from '../judge/verdict.ts';
import type { ProcessTable } from '../process/table.ts';
import { killing, type ReapingPlan } from '../reap/machine.ts';
import type { Settings } from '../settings/settings.ts';
import { type AgentUnit, mayEndByItself } from './units.ts';

/** The rule by which an agent itself is ended, in records and in the ledger. */
export const unreachableRule = 'unreachable-agent';

/** Time between TERM and KILL, milliseconds: agents took up to 4 s to end themselves (measured). */
const graceMs = 30_000;

/** How an agent is ended: time to write its session down, then KILL. */
export const agentPlan: ReapingPlan = { signal: 'TERM', graceMs, ...killing };

const evidenceOf = (reach: Reach): Said => {
  switch (reach.state) {
    case 'unreachable':
    case 'finishing':
      return knownBy(reach.why === 'hung-up' ? 'its terminal is hung up' : 'its client has closed both ends');
    case 'cut-off':
      return knownBy('it is in the background of a terminal whose shell cannot bring it back');
    case 'held':
      return knownBy('no parent of it holds its ends, but process {pid} does', { pid: reach.holder.pid });
    case 'detached':
      return knownBy('its terminal is kept by {name}, without a client', { name: reach.holder.name });
    case 'idle':
      return knownBy('it is an idle agent');
    case 'closed-lately':
    case 'headless':
    case 'service':
    case 'reachable':
    case 'unknown':
      return reach.state;
  }
};

const ownerOf = (reach: Reach): Owner =>
  reach.state === 'unreachable' || reach.state === 'finishing'
    ? { state: 'gone', sinceMs: null, evidence: evidenceOf(reach) }
    : { state: 'unknown', evidence: evidenceOf(reach) };

/**
 * An agent as what may be ended: its own processes and nothing else. What it started is left to the
 * rules about leftovers.
 * @param taken ids of the jobs of this look
 */
export const agentDraft = (
  { agent, top, parts }: AgentUnit,
  reach: Reach,
  session: AgentSession | null,
  entries: readonly LedgerEntry[],
  table: ProcessTable,
  taken: ReadonlySet<JobId>,
): Draft => {
  const entry = entries.find(({ root }) => root.pid === Number(top.pid) && root.startTicks === top.startTicks) ?? null;
  return {
    id: entry?.id ?? jobIdOf(table.bootId, top, taken),
    agent,
    rule: unreachableRule,
    name: null,
    run: null,
    reach,
    script: null,
    command: redactProcess(top),
    session: session?.id ?? null,
    task: null,
    output: null,
    projectSlug: null,
    project: session?.project ?? null,
    root: top,
    members: parts.map((row) => ({ row, by: ['tree'] })),
    groups: [],
    kernelSessions: [],
    provenance: [{ code: 'agent', agent }],
    // It is the agent itself that was seen.
    proof: entry?.proof ?? {
      kind: 'look',
      agent,
      process: { pid: top.pid, startTicks: top.startTicks },
      atMs: table.takenAtMs,
    },
    owner: ownerOf(reach),
    couldOwn: [],
    startTicks: top.startTicks,
    entry,
  };
};

/** What the verdict about an agent depends on besides the agent. */
export interface AgentContext {
  /** Wall clock, milliseconds. */
  readonly nowMs: number;
  readonly vetoes: readonly Veto[];
}

const daySeconds = 86_400;

/** Whether Curfew ends this agent by itself, as far as state and settings say. */
export const endsByItself = (reach: Reach, settings: Pick<Settings, 'unreachableAgents' | 'idleAgentDays'>): boolean =>
  reach.state === 'idle'
    ? settings.idleAgentDays > 0 && (reach.idle.dueSeconds ?? -1) >= settings.idleAgentDays * daySeconds
    : settings.unreachableAgents === 'end' && mayEndByItself(reach);

const whyOf = ({ agent, session }: Job, reach: Reach, nowMs: number): Reason => {
  if (reach.state !== 'idle') {
    const resume = resumeOf(agent, session);
    const evidence = inWordsOfKeys(evidenceOf(reach));
    return reason('out-of-reach', { state: reach.state, evidence, ...(resume === null ? {} : { resume }) });
  }
  const { idle, resume } = reach;
  const idleSeconds = Math.max(0, Math.round((nowMs - idle.sinceMs) / 1000));
  return reason('idle-agent', { state: idle.state, idleSeconds, by: idle.by, resume: resume ?? '' });
};

const verdict = (
  state: Verdict['state'],
  action: Verdict['action'],
  atMs: number | null,
  reasons: readonly Reason[],
): Verdict => ({ state, action, atMs, reasons });

/**
 * What becomes of an agent: by itself it is ended only where the user has chosen that, after the
 * whole notice, and neither age nor hard cap count. Pure and total.
 */
export const judgeAgent = (job: Job, reach: Reach, settings: Settings, { nowMs, vetoes }: AgentContext): Verdict => {
  const why = whyOf(job, reach, nowMs);
  if (vetoes.length > 0) return verdict('protected', 'none', null, [...vetoReasons(vetoes), why]);
  if (!endsByItself(reach, settings)) return verdict('overdue', 'none', null, [why]);
  if (job.keptUntilMs !== null && job.keptUntilMs > nowMs) {
    const kept = reason('kept', { untilMs: job.keptUntilMs, leftSeconds: Math.ceil((job.keptUntilMs - nowMs) / 1000) });
    return verdict('kept', 'none', job.keptUntilMs, [kept, why]);
  }
  const exemption = exemptionOf(settings.exemptions, job);
  if (exemption !== null) return verdict('kept', 'none', null, [exemptReason(exemption), why]);
  if (settings.mode !== 'enforce') {
    const observing = reason('observe-mode', { chosen: settings.mode === null ? 'no' : 'yes' });
    return verdict('overdue', 'notify', null, [why, observing]);
  }
  const leftSeconds = settings.noticeSeconds - (job.announcedSeconds ?? 0);
  if (job.announcedSeconds === null || leftSeconds > 0)
    return { ...verdict('overdue', 'notify', Math.round(nowMs + leftSeconds * 1000), [why]), announces: true };
  const given = reason('notice-given', { agoSeconds: Math.round(job.announcedSeconds) });
  return verdict('overdue', 'reap', nowMs, [why, given]);
};
