import type { Found } from '../../app/format/secrets/safe-text.ts';
import { safeView } from '../../app/format/secrets/safe-view.ts';
import { dirname, join } from 'node:path';
import { dossiers } from '../../app/agents/dossiers.ts';
import { signatureOf } from '../../app/agents/signatures.ts';
import { departureOf, type DepartureClues, type TaskReport } from '../../app/history/departure.ts';
import { foldIncident } from '../../app/history/fold.ts';
import { incidentId, incidentRandomRange } from '../../app/history/incident-id.ts';
import type { Incident, IncidentEvent } from '../../app/history/incident.ts';
import type { Job } from '../../app/model/job.ts';
import { hasEnded } from '../../app/process/row.ts';
import { localHost } from '../../app/remote/host-name.ts';
import { rowOf } from '../../app/process/table.ts';
import { noted } from '../../app/text/noted.ts';
import { sayDeparture } from '../../app/text/departure.ts';
import { agentParts } from '../agents/dossiers.ts';
import type { UnexplainedExit } from './unexplained-exits.ts';
import type { Engine } from '../engine/engine.ts';
import { intentOf } from '../reaping/intent.ts';
import { numberIn, outputTail } from '../output/output-file.ts';
import { planFor } from '../reaping/plan.ts';

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
