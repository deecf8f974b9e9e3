import { endsSoon } from '../../app/judge/preview.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import { type AssembledJob, assemblingJobs } from '../../app/jobs/measure/assemble.ts';
import { inUse } from '../../app/jobs/measure/observe-server.ts';
import { type EndedSession, isOfEnded } from '../../app/jobs/sessions/ended-sessions.ts';
import { type Spared, isForgotten } from '../../app/jobs/spared/spared.ts';
import type { Terms } from '../../app/judge/context.ts';
import { hasNoOwnerLeft } from '../../app/judge/endable.ts';
import { awaitingVerdict, judge } from '../../app/judge/judge.ts';
import { graceSecondsOf } from '../../app/judge/limits.ts';
import { judgeRun } from '../../app/judge/runs/run.ts';
import { underLoss } from '../../app/judge/under-loss.ts';
import type { Verdict, Veto } from '../../app/judge/verdict.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { vetoesOf } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Client, Job, JobId } from '../../app/model/job.ts';
import type { SessionDirectory } from '../../app/model/session.ts';
import { type Steps, drain } from '../../app/process/steps.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { endsByItself, judgeAgent, unreachableRule } from '../../app/reach/ending.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { AgentWatch } from './agent-watch.ts';
import type { Announcements } from './announcements.ts';
import { type UsableJob, type UseReading, harmlessSockets, readUses } from './clients.ts';
import type { HarmlessSockets, JudgedJob, Look, Scan } from './look.ts';

export interface AgentJudging {
  readonly table: ProcessTable;
  readonly settings: Settings;
  readonly directory: Pick<SessionDirectory, 'sessions'>;
  /** Entries of this boot as they were loaded. */
  readonly known: readonly LedgerEntry[];
  readonly spared: Spared;
  readonly announcements: Announcements;
  readonly source: Pick<ProcessSource, 'facts' | 'steps'>;
  readonly nowMs: number;
  readonly contextFor: (entry: LedgerEntry, job: Job) => VetoContext;
}

/** What a look says of agents, and its jobs with those agents that are ended by themselves. */
export type AgentsOfLook = Required<Pick<Look, 'agents' | 'agentJobs' | 'jobs'>>;

/** No diagnoses: they are about commands. */
const diagnosing = {
  probes: new Map(),
  latest: new Map(),
  patienceSeconds: 0,
  limitSeconds: Infinity,
  hardCapSeconds: Infinity,
};

const judgeOne = (job: Job, entry: LedgerEntry, judging: AgentJudging): readonly JudgedJob[] => {
  const { settings, nowMs, announcements, contextFor } = judging;
  if (job.reach === undefined) return [];
  const vetoes = vetoesOf(job, contextFor(entry, job));
  const wanted = judgeAgent(job, job.reach, settings, { nowMs, vetoes });
  const verdict = underLoss(wanted, isForgotten(job, entry, judging.spared.lostAtTicks));
  return [{ job, vetoes, verdict, entry: announcements.afterVerdict(entry, verdict) }];
};

const judgeBy = (drafts: readonly Draft[], judging: AgentJudging, from: Scan['from']): readonly JudgedJob[] => {
  const { table, source } = judging;
  const rows = drafts.flatMap(({ members }) => members.map(({ row }) => row));
  const assembled = drain(
    assemblingJobs({
      table,
      drafts,
      facts: source.steps === undefined ? source.facts(rows) : drain(source.steps.readingFacts(rows, from)),
      outputBytes: () => null,
      ownerService: () => null,
      keeps: judging.spared.keeps,
      diagnosing,
    }),
  );
  return assembled.flatMap(({ job, entry }) => judgeOne(job, entry, judging));
};

const judgeAll = (drafts: readonly Draft[], judging: AgentJudging): readonly JudgedJob[] => {
  if (drafts.length === 0) return [];
  const judged = judgeBy(drafts, judging, 'kept');
  // What is announced or ended is judged by facts of this very look, as jobs are.
  return judged.some(({ verdict }) => endsSoon(verdict)) ? judgeBy(drafts, judging, 'fresh') : judged;
};

/** Judges agents that no user can reach. Throws ProcessTableUnreadable. */
export const lookAtAgents = (
  watch: AgentWatch,
  ofCommands: ReadonlyMap<JobId, JudgedJob>,
  judging: AgentJudging,
): AgentsOfLook => {
  const { table, settings, directory, known, announcements } = judging;
  const entries = known.filter(({ rule }) => rule === unreachableRule);
  const { agents, drafts } = watch.finish({
    table,
    sessions: directory.sessions,
    jobs: [...ofCommands.values()].map(({ job }) => job),
    entries: entries.map((entry) => announcements.current(entry)),
    taken: new Set(ofCommands.keys()),
  });
  const judged = judgeAll(drafts, judging);
  const byItself = judged.filter(({ job }) => job.reach !== undefined && endsByItself(job.reach, settings));
  const named = (all: readonly JudgedJob[]) => all.map((one) => [one.job.id, one] as const);
  return { agents, agentJobs: new Map(named(judged)), jobs: new Map([...ofCommands, ...named(byItself)]) };
};

export interface JudgingInput extends Omit<UseReading, 'graceSeconds'> {
  readonly assembled: readonly AssembledJob[];
  readonly endedSessions: readonly EndedSession[];
  readonly announcements: Pick<Announcements, 'afterVerdict'>;
  readonly vetoContext: (entry: LedgerEntry, job: Job, harmless: HarmlessSockets, ends: boolean) => VetoContext;
  /** Wall clock of the look, milliseconds. */
  readonly nowMs: number;
  readonly lostAtTicks: number | null;
  readonly terms?: Terms;
}

interface Subject extends UsableJob {
  readonly job: Job;
  readonly entry: LedgerEntry;
  readonly vetoes: readonly Veto[];
  readonly toldEnded: boolean;
}

const judgedOf = (
  { toldEnded, vetoes, entry }: Pick<Subject, 'toldEnded' | 'vetoes' | 'entry'>,
  job: Job,
  settings: Settings,
  { nowMs, terms, lostAtTicks }: JudgingInput,
): Verdict => {
  // What the user runs under supervision may be anything, an agent too; its own `curfew run` says
  // what it spares.
  if (job.run !== undefined) return judgeRun(job, job.run, settings, nowMs);
  const now: Terms | undefined = toldEnded ? { kind: 'session-said-so' } : terms;
  return judge(job, settings, {
    nowMs,
    vetoes,
    isForgotten: isForgotten(job, entry, lostAtTicks),
    ...(now === undefined ? {} : { terms: now }),
  });
};

const endsOf = ({ action, announces }: Verdict): UsableJob['ends'] =>
  action === 'reap' ? 'now' : announces === true ? 'told' : 'not';

const subjectOf = (
  { job, entry }: AssembledJob,
  enforcing: Settings,
  input: JudgingInput,
  harmless: HarmlessSockets,
): Subject => {
  const toldEnded = isOfEnded(job, input.endedSessions);
  const vetoes = job.run === undefined ? vetoesOf(job, input.vetoContext(entry, job, harmless, false)) : [];
  const wanted = judgedOf({ toldEnded, vetoes, entry }, job, enforcing, input);
  const spared = job.run !== undefined || wanted.state === 'kept' || wanted.state === 'protected';
  return { job, entry, vetoes, toldEnded, ends: job.run === undefined ? endsOf(wanted) : 'not', spared };
};

/** It is asked about what others would lose with it: that costs a reading of all processes. */
const mayEnd = ({ ends, job, spared }: UsableJob): boolean => !spared && (ends !== 'not' || hasNoOwnerLeft({ job }));

export interface Judgement {
  readonly jobs: ReadonlyMap<JobId, JudgedJob>;
  readonly harmless: HarmlessSockets;
}

const verdictWith = (
  subject: Subject,
  client: Client | undefined,
  awaited: Client | undefined,
  input: JudgingInput,
) => {
  const job = client === undefined ? subject.job : { ...subject.job, client };
  const verdict = judgedOf(subject, job, input.settings, input);
  return { job, verdict: awaited === undefined ? verdict : awaitingVerdict(verdict, awaited) };
};

/**
 * What the judge says of each job, a step for each. First what would become of each by itself, then
 * what they are connected to: a client is useless only if it is itself being ended. The display of
 * another leftover counts as harmless at first, and as a client afterwards.
 */
export function* judgingJobs(input: JudgingInput): Steps<Judgement> {
  const { assembled, settings, terms } = input;
  const all = assembled.map(({ job }) => job);
  const left = new Set(all.filter((job) => job.run === undefined && hasNoOwnerLeft({ job })).map(({ id }) => id));
  const first = harmlessSockets(all, (id) => left.has(id));
  // What it wants to end is the same in the mode observe.
  const enforcing = { ...settings, mode: 'enforce' } as const;
  const subjects: Subject[] = [];
  for (const one of assembled) {
    subjects.push(subjectOf(one, enforcing, input, first));
    yield;
  }
  const uses = readUses(subjects, { ...input, graceSeconds: graceSecondsOf(settings, terms) });
  yield;
  const useless = first === undefined ? null : uses.useless();
  const harmless = useless === null ? undefined : harmlessSockets(all, (id) => useless.has(id));
  const judged = new Map<JobId, JudgedJob>();
  for (const one of subjects) {
    const { entry, toldEnded } = one;
    const vetoes =
      (harmless === undefined && !mayEnd(one)) || one.job.run !== undefined
        ? one.vetoes
        : vetoesOf(one.job, input.vetoContext(entry, one.job, harmless, mayEnd(one)));
    const { id } = one.job;
    const { job, verdict } = verdictWith({ ...one, vetoes }, uses.kept.get(id), uses.awaited.get(id), input);
    const told = toldEnded ? ({ toldEnded } as const) : {};
    const known =
      job.client === undefined || entry.server === undefined ? entry : { ...entry, server: inUse(entry.server) };
    judged.set(id, { ...told, job, vetoes, verdict, entry: input.announcements.afterVerdict(known, verdict) });
    yield;
  }
  return { jobs: judged, harmless };
}
