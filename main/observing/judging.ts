import type { Client, Job, JobId } from '../../app/model/job.ts';
import type { LedgerEntry } from '../../app/jobs/ledger/ledger.ts';
import { isForgotten } from '../../app/jobs/spared/spared.ts';
import type { AssembledJob } from '../../app/jobs/measure/assemble.ts';
import { isOfEnded, type EndedSession } from '../../app/jobs/sessions/ended-sessions.ts';
import type { Terms } from '../../app/judge/context.ts';
import { hasNoOwnerLeft } from '../../app/judge/endable.ts';
import { graceSecondsOf } from '../../app/judge/limits.ts';
import { awaitingVerdict, judge } from '../../app/judge/judge.ts';
import { judgeRun } from '../../app/judge/runs/run.ts';
import type { Verdict, Veto } from '../../app/judge/verdict.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import { vetoesOf } from '../../app/judge/vetoes/vetoes-of.ts';
import type { Steps } from '../../app/process/steps.ts';
import type { Settings } from '../../app/settings/settings.ts';
import type { Announcements } from './announcements.ts';
import { harmlessSockets, readUses, type UsableJob, type UseReading } from './clients.ts';
import type { JudgedJob } from './look.ts';
import type { HarmlessSockets } from './look-parts.ts';

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

const subjectOf = ({ job, entry }: AssembledJob, input: JudgingInput, harmless: HarmlessSockets): Subject => {
  const toldEnded = isOfEnded(job, input.endedSessions);
  const vetoes = job.run === undefined ? vetoesOf(job, input.vetoContext(entry, job, harmless, false)) : [];
  // What it wants to end is the same in the mode observe.
  const wanted = judgedOf({ toldEnded, vetoes, entry }, job, { ...input.settings, mode: 'enforce' }, input);
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
  const subjects: Subject[] = [];
  for (const one of assembled) {
    subjects.push(subjectOf(one, input, first));
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
    judged.set(id, { ...told, job, vetoes, verdict, entry: input.announcements.afterVerdict(entry, verdict) });
    yield;
  }
  return { jobs: judged, harmless };
}
