import { assemblingJobs } from '../../app/jobs/measure/assemble.ts';
import type { Draft } from '../../app/jobs/find/draft.ts';
import type { Job, JobId } from '../../app/model/job.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import { isForgotten, type Spared } from '../../app/jobs/spared/spared.ts';
import type { SessionDirectory } from '../../app/model/session.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { underLoss } from '../../app/judge/under-loss.ts';
import { vetoesOf } from '../../app/judge/vetoes/vetoes-of.ts';
import { drain } from '../../app/process/steps.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { endsByItself, judgeAgent, unreachableRule } from '../../app/reach/ending.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import type { AgentWatch } from './agent-watch.ts';
import type { Announcements } from './announcements.ts';
import type { JudgedJob, Look } from './look.ts';
import { isDecision, type Scan } from './look-parts.ts';

export interface AgentJudging {
  readonly table: ProcessTable;
  readonly settings: Settings;
  readonly directory: Pick<SessionDirectory, 'sessions'>;
  /** Entries of this boot as they were loaded. */
  readonly known: readonly LedgerEntry[];
  readonly spared: Spared;
  readonly announcements: Announcements;
  readonly source: Pick<ProcessSource, 'facts' | 'readingFacts'>;
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
  const reading = source.readingFacts?.(rows, from);
  const assembled = drain(
    assemblingJobs({
      table,
      drafts,
      facts: reading === undefined ? source.facts(rows) : drain(reading),
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
  return judged.some(({ verdict }) => isDecision(verdict)) ? judgeBy(drafts, judging, 'fresh') : judged;
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
