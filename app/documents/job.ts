import type { ProcessRow } from '../process/row.ts';
import type { JobView, MemberView, VetoView } from '../contract/views/job-view.ts';
import type { Statement } from '../contract/views/view.ts';
import { sayDiagnosis } from '../text/diagnoses.ts';
import { sayEvidence } from '../text/evidence.ts';
import { sayReason } from '../text/reasons.ts';
import { inEnglish, sayVeto } from '../text/say.ts';
import { redactProcess } from '../format/secrets/redact.ts';
import { moment, momentOrNull } from '../format/moment.ts';
import type { Found, SafeText } from '../format/secrets/safe-text.ts';
import { safeView } from '../format/secrets/safe-view.ts';
import type { Objection } from '../judge/stop-reason.ts';
import type { Veto, Verdict, VerdictState } from '../judge/verdict.ts';
import { evidenceOf } from '../model/evidence.ts';
import type { Job, RunTerms } from '../model/job.ts';
import { ageSeconds, startedAtMs, type ProcessTable } from '../process/table.ts';

export interface JudgedJob {
  readonly job: Job;
  readonly verdict: Verdict;
  readonly vetoes: readonly Veto[];
  /** Scan time; ages and start times are counted from it. */
  readonly table: ProcessTable;
}

/** Returns what keeps a process from a signal in the published form. */
export const vetoView = (veto: Objection): Found<VetoView> => ({
  code: veto.code,
  text: sayVeto(veto),
  figures: { ...veto.figures },
  pid: veto.pid,
});

const statement = (
  of: { readonly code: string; readonly figures: Readonly<Record<string, number | string>> },
  text: string,
): Found<Statement> => ({ code: of.code, text, figures: { ...of.figures } });

/** States whose next moment is an end, whether it was announced or not. */
const ending: ReadonlySet<VerdictState> = new Set(['orphaned', 'overdue', 'past-cap']);

/** Returns when a job is ended automatically if nothing changes, epoch milliseconds, or null. */
export const endsAtMs = ({ state, action, atMs, announces, reasons }: Verdict): number | null => {
  // What only marks name is ended by the user alone.
  const isPlanned = ending.has(state) && !reasons.some(({ code }) => code === 'claimed');
  const ends = action === 'reap' || announces === true || isPlanned;
  return ends && !reasons.some(({ code }) => code === 'observe-mode' || code === 'memory-lost') ? atMs : null;
};

const runView = ({ id, background, maxElapsedSeconds, hardCapSeconds }: RunTerms): NonNullable<JobView['run']> => ({
  id,
  background,
  maxElapsedSeconds,
  hardCapSeconds,
});

/**
 * Returns a job in the published form. Pure. Text from a process is redacted; nothing is HTML or
 * escaped for display.
 * @param argsOf a command line with its secrets replaced
 */
export const jobView = (
  { job, verdict, vetoes, table }: JudgedJob,
  argsOf: (row: ProcessRow) => SafeText = redactProcess,
): JobView =>
  safeView<JobView>({
    id: job.id,
    agent: job.agent,
    rule: job.rule,
    command: job.command,
    ...(job.name === undefined ? {} : { name: job.name }),
    ...(job.run === undefined ? {} : { run: runView(job.run) }),
    ...(job.container === undefined ? {} : { container: { ...job.container } }),
    project: job.project,
    session: job.session,
    task: job.task,
    output: job.output,
    root: {
      pid: job.root.pid,
      startedAt: moment(startedAtMs(table, job.root.startTicks)),
      ppid: job.root.ppid,
      pgid: job.root.pgid,
      sid: job.root.sid,
      args: argsOf(job.root),
    },
    members: job.members.map(({ row, by }): MemberView => ({
      pid: row.pid,
      ppid: row.ppid,
      pgid: row.pgid,
      sid: row.sid,
      state: row.state,
      args: argsOf(row),
      by: [...by],
      ageSeconds: ageSeconds(table, row.startTicks),
      rssBytes: row.rssBytes,
    })),
    owner: job.owner.state,
    ownerEvidence: inEnglish(job.owner.evidence),
    proof: job.proof.kind,
    ageSeconds: job.ageSeconds,
    silentSeconds: job.silentSeconds,
    kind: job.kind,
    diagnoses: job.diagnoses.map((diagnosis) => diagnosis.code),
    diagnosed: job.diagnoses.map((diagnosis) => statement(diagnosis, sayDiagnosis(diagnosis))),
    holds: { ...job.holds, ports: [...job.holds.ports], locks: [...job.holds.locks] },
    verdict: {
      state: verdict.state,
      action: verdict.action,
      at: momentOrNull(verdict.atMs),
      endsAt: momentOrNull(endsAtMs(verdict)),
      reasons: verdict.reasons.map((reason) => statement(reason, sayReason(reason))),
    },
    vetoes: vetoes.map(vetoView),
    startedAt: moment(job.startedAtMs),
    keptUntil: momentOrNull(job.keptUntilMs),
    noticedAt: momentOrNull(job.noticedAtMs),
    evidence: evidenceOf(job).map((evidence) => statement(evidence, sayEvidence(evidence))),
  });
