import type { Incident, IncidentEvent, RecordedProcess, SignalRecord } from '../../history/incident.ts';
import type { IncidentView } from './incident-view.ts';
import { moment } from '../../format/moment.ts';
import { safeView } from '../../format/secrets/safe-view.ts';
import type { Found } from '../../format/secrets/safe-text.ts';
import type { Wording } from './wording.ts';

const signalView = (signal: SignalRecord): IncidentView['signals'][number] => ({
  at: moment(signal.atMs),
  signal: signal.signal,
  target: signal.target,
  pids: [...signal.pids],
  result: signal.result,
  note: signal.note,
  ...(signal.said === undefined ? {} : { said: signal.said }),
});

const processView = (process: RecordedProcess): IncidentView['processes'][number] => ({
  pid: process.pid,
  ppid: process.ppid,
  args: process.args,
  rssBytes: process.rssBytes,
});

const eventView = (event: IncidentEvent, wording: Wording): Found<IncidentView['events'][number]> => {
  switch (event.kind) {
    case 'signal':
      return { kind: 'signal', at: moment(event.signal.atMs), signal: signalView(event.signal) };
    case 'veto':
      return {
        kind: 'veto',
        at: moment(event.atMs),
        vetoes: event.vetoes.map((veto) => ({
          code: veto.code,
          text: wording.veto(veto),
          figures: { ...veto.figures },
          pid: veto.pid,
        })),
      };
    case 'died':
      return { kind: 'died', at: moment(event.atMs), pids: [...event.pids] };
    case 'note':
      return {
        kind: 'note',
        at: moment(event.atMs),
        text: event.text,
        ...(event.said === undefined ? {} : { said: event.said }),
      };
    case 'ended':
      return { kind: 'ended', at: moment(event.atMs), outcome: event.outcome };
  }
};

/** Returns an incident in the published form. Pure. */
export const incidentView = (incident: Incident, wording: Wording): IncidentView =>
  safeView<IncidentView>({
    id: incident.id,
    job: incident.job,
    agent: incident.agent,
    command: incident.command,
    decidedBy: incident.decidedBy,
    reasons: incident.reasons.map((reason) => ({
      code: reason.code,
      text: wording.reason(reason),
      figures: { ...reason.figures },
    })),
    signals: incident.signals.map(signalView),
    outcome: incident.outcome,
    survivors: incident.survivors.map(processView),
    freed: { ...incident.freed, ports: [...incident.freed.ports], locks: [...incident.freed.locks] },
    tookMs: incident.tookMs,
    at: moment(incident.atMs),
    host: incident.host,
    rule: incident.rule,
    project: incident.project,
    session: incident.session,
    task: incident.task,
    output: incident.output,
    ageSeconds: incident.ageSeconds,
    owner: incident.owner,
    ownerEvidence: incident.ownerEvidence,
    ...(incident.ownerSaid === undefined ? {} : { ownerSaid: incident.ownerSaid }),
    verdict: incident.verdict,
    evidence: [...incident.evidence],
    processes: incident.processes.map(processView),
    firstSignal: incident.firstSignal,
    graceSeconds: incident.graceSeconds,
    events: incident.events.map((event) => eventView(event, wording)),
    outputTail: incident.outputTail,
  });
