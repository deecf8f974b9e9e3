import { dirname, join } from 'node:path';
import { dossiers } from '../../app/agents/dossiers.ts';
import { signatureOf } from '../../app/agents/signatures.ts';
import type { Found } from '../../app/format/secrets/safe-text.ts';
import { safeView } from '../../app/format/secrets/safe-view.ts';
import { type DepartureClues, type TaskReport, departureOf } from '../../app/history/departure.ts';
import { foldIncident } from '../../app/history/fold.ts';
import { incidentId, incidentRandomRange } from '../../app/history/incident-id.ts';
import type { Incident, IncidentEvent } from '../../app/history/incident.ts';
import type { Job, JobId } from '../../app/model/job.ts';
import { hasEnded } from '../../app/process/row.ts';
import { rowOf } from '../../app/process/table.ts';
import { localHost } from '../../app/remote/host-list.ts';
import { sayDeparture } from '../../app/text/departure.ts';
import { noted } from '../../app/text/noted.ts';
import { agentParts } from '../agents/dossiers.ts';
import type { Engine } from '../engine/engine.ts';
import type { JudgedJob, Look } from '../observing/look.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { numberIn, outputTail } from '../output/output-file.ts';
import { intentOf, planFor } from '../reaping/plan.ts';

/** Incidents of the last milliseconds are searched for another Curfew's ending of the job. */
const recentMs = 3_600_000;

type Recorder = Pick<Engine, 'source' | 'home' | 'history' | 'journal' | 'settings' | 'writer' | 'uid'>;

const reportOf = ({ home, uid }: Recorder, job: Job): TaskReport | null => {
  const { taskReport } = agentParts[job.agent];
  return taskReport === 'none' ? null : taskReport(job, home, uid);
};

/** Returns the status that the agent's own shell wrote beside the output when the command ended. */
const exitCodeOf = ({ uid }: Recorder, job: Job): number | null => {
  const { exitCode } = dossiers[job.agent];
  return exitCode === 'none' || job.output === null ? null : numberIn(join(dirname(job.output), exitCode.file), uid);
};

const sessionEnded = ({ judged, goneLook }: UnexplainedExit): boolean => {
  const { owner } = judged.job;
  if (owner.state !== 'live' || owner.process === null) return false;
  const row = rowOf(goneLook.table, owner.process);
  return row === null || hasEnded(row);
};

const cluesOf = (recorder: Recorder, departed: UnexplainedExit): DepartureClues => {
  const { job } = departed.judged;
  const { probing } = recorder.source;
  const facts = [...job.facts.values()];
  const cgroups = job.facts.get(job.root.pid)?.cgroups ?? null;
  const oomKills = probing?.oomKills(cgroups) ?? null;
  const seconds = (Date.now() - departed.lastLook.table.takenAtMs) / 1000;
  return {
    oomKilled:
      probing?.oomKilled(
        job.members.map(({ row }) => Number(row.pid)),
        seconds,
      ) ?? null,
    oomInGroup: oomKills !== null && departed.oomKills !== null && oomKills > departed.oomKills,
    report: reportOf(recorder, job),
    exitCode: exitCodeOf(recorder, job),
    sessionEnded: sessionEnded(departed),
    underRun: facts.some(({ environment }) => (environment?.['CURFEW_RUN'] ?? '') !== ''),
  };
};

/** Returns whether a command, a hook's pass or an earlier supervisor has ended and recorded it. */
const isOnRecord = ({ history }: Recorder, job: Job, bootId: string): boolean => {
  for (const incident of history.query({ sinceMs: Date.now() - recentMs, agent: job.agent }))
    if (incident.job === job.id && incident.bootId === bootId) return true;
  return false;
};

/**
 * Records that an overdue job is gone, and what probably ended it; nothing was signalled and
 * nothing counts as freed. Returns null if it is recorded already.
 * @throws what the journal and the history throw; then nothing is recorded
 */
export const recordUnexplainedExit = (recorder: Recorder, departed: UnexplainedExit): Incident | null => {
  const { judged, goneLook } = departed;
  const { job } = judged;
  if (isOnRecord(recorder, job, goneLook.table.bootId)) return null;
  const atMs = goneLook.table.takenAtMs;
  const intent = intentOf({
    id: incidentId(Date.now(), Math.floor(Math.random() * incidentRandomRange)),
    nowMs: atMs,
    host: localHost,
    table: goneLook.table,
    writer: recorder.writer,
    judged,
    // Curfew did not decide on its end; the rule made it overdue.
    decidedBy: 'rule',
    plan: planFor(job, recorder.settings()),
  });
  const said = sayDeparture(departureOf(cluesOf(recorder, departed)), signatureOf(job.agent).name);
  const found: readonly Found<IncidentEvent>[] = [
    noted(atMs, said),
    {
      kind: 'ended',
      atMs,
      outcome: 'vanished',
      survivors: [],
      freed: { processes: 0, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] },
      outputTail: job.output === null ? null : outputTail(job.output, recorder.uid),
    },
  ];
  const events = found.map((event) => safeView<IncidentEvent>(event));
  recorder.journal.together(() => {
    recorder.journal.begin(intent);
    for (const event of events) recorder.journal.append(intent.id, event);
  });
  return foldIncident(intent, events);
};

/** A loop on a busy machine may be this late, ms. */
const maxLateMs = 60_000;

/** Tells whether the loop of looks still turns, for the service that started this process. */
export class SignsOfLife {
  readonly #intervalMs: () => number;
  #workedMs: number;

  /**
   * @param intervalMs time between two looks now
   * @param nowMs of a steady clock, as everywhere here
   */
  constructor(intervalMs: () => number, nowMs: number) {
    this.#intervalMs = intervalMs;
    this.#workedMs = nowMs;
  }

  /** A look has come to its end, well or not. */
  worked(nowMs: number): void {
    this.#workedMs = nowMs;
  }

  /** Returns whether the last look is as young as it should be. */
  isWorking(nowMs: number): boolean {
    return nowMs - this.#workedMs < 3 * this.#intervalMs() + maxLateMs;
  }
}

/** A job that was announced or overdue and is gone without Curfew's doing. */
export interface UnexplainedExit {
  /** The job at the last scan that saw it. */
  readonly judged: JudgedJob;
  /** The last scan that saw it, and the first that did not. */
  readonly lastLook: Look;
  readonly goneLook: Look;
  /** OOM kills in its control group before the last scan that saw it; null: there is no counter. */
  readonly oomKills: number | null;
}

/**
 * Returns whether the end of a job needs an explanation: it was overdue or announced. A job that
 * ends in time, or is protected or kept, needs none. A run is ended and recorded by its own `curfew
 * run`.
 */
const concerns = ({ job, verdict }: JudgedJob): boolean =>
  job.run === undefined &&
  (verdict.state === 'overdue' ||
    verdict.state === 'orphaned' ||
    verdict.state === 'past-cap' ||
    job.noticedAtMs !== null);

/**
 * Detects that an overdue job is gone without Curfew's doing. Reports it one scan after it was
 * missed: by then its agent has recorded what became of it.
 */
export class UnexplainedExits {
  readonly #source: Pick<ProcessSource, 'read' | 'probing'>;
  #followed: ReadonlyMap<JobId, Omit<UnexplainedExit, 'goneLook'>> = new Map();
  #missed: readonly UnexplainedExit[] = [];
  /** OOM kills by control group, as read at the look before. */
  #kills: ReadonlyMap<string, number | null> = new Map();

  constructor(source: Pick<ProcessSource, 'read' | 'probing'>) {
    this.#source = source;
  }

  /**
   * Returns the jobs that are gone; `isOurs` says whether Curfew is ending a job. Reads the members
   * of missing jobs once more.
   * @throws ProcessTableUnreadable
   */
  look(look: Look, isOurs: (job: JobId) => boolean): readonly UnexplainedExit[] {
    const departed = this.#missed.filter(({ judged }) => !look.jobs.has(judged.job.id));
    this.#missed = [...this.#followed.values()]
      .filter(({ judged }) => !look.jobs.has(judged.job.id) && !isOurs(judged.job.id) && this.#isGone(judged))
      .map((one) => ({ ...one, goneLook: look }));
    const followed = new Map<JobId, Omit<UnexplainedExit, 'goneLook'>>();
    // Read once for each group: hundreds of jobs are often in the same one.
    const kills = new Map<string, number | null>();
    for (const [id, judged] of look.jobs) {
      if (!concerns(judged) || isOurs(id)) continue;
      const cgroups = judged.job.facts.get(judged.job.root.pid)?.cgroups ?? null;
      const group = JSON.stringify(cgroups);
      const known = kills.get(group);
      const oomKills = known === undefined ? (this.#source.probing?.oomKills(cgroups) ?? null) : known;
      kills.set(group, oomKills);
      // What is read after the table may already count a kill of what the table still showed.
      const before = this.#kills.get(group) ?? oomKills;
      followed.set(id, { judged, lastLook: look, oomKills: before });
    }
    this.#kills = kills;
    this.#followed = followed;
    return departed;
  }

  /** A job may become part of another; it is gone only if none of its processes lives. */
  #isGone({ job }: JudgedJob): boolean {
    return job.members.every(({ row }) => {
      const now = this.#source.read(row.pid);
      return now === null || now.startTicks !== row.startTicks || hasEnded(now);
    });
  }
}
