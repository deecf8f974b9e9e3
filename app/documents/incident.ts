import { agentIds } from '../agents/common/agent-id.ts';
import type { IncidentView } from '../contract/views/incident-view.ts';
import { sayReason } from '../text/reasons.ts';
import { moment } from '../format/moment.ts';
import { redactCommand } from '../format/secrets/redact.ts';
import type { Found } from '../format/secrets/safe-text.ts';
import { safeView } from '../format/secrets/safe-view.ts';
import { visibleText } from '../format/visible.ts';
import type { Incident, IncidentEvent, RecordedProcess, SignalRecord } from '../history/incident.ts';
import type { ReasonCode, VetoCode } from '../judge/verdict.ts';
import { signalNames } from '../process/signal.ts';
import { vetoView } from './job.ts';

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

const eventView = (event: IncidentEvent): Found<IncidentView['events'][number]> => {
  switch (event.kind) {
    case 'signal':
      return { kind: 'signal', at: moment(event.signal.atMs), signal: signalView(event.signal) };
    case 'veto':
      return {
        kind: 'veto',
        at: moment(event.atMs),
        vetoes: event.vetoes.map(vetoView),
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
export const incidentView = (incident: Incident): IncidentView =>
  safeView<IncidentView>({
    id: incident.id,
    job: incident.job,
    agent: incident.agent,
    command: incident.command,
    decidedBy: incident.decidedBy,
    reasons: incident.reasons.map((reason) => ({
      code: reason.code,
      text: sayReason(reason),
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
    events: incident.events.map(eventView),
    outputTail: incident.outputTail,
  });

const processOf = (view: IncidentView['processes'][number]): Incident['processes'][number] => ({
  ...view,
  // Hidden again: the other Curfew may know fewer forms of secrets.
  args: redactCommand(view.args),
  // Not published: it would not identify a process on this machine.
  startTicks: 0,
});

const eventOf = (view: IncidentView, event: IncidentView['events'][number]): IncidentEvent => {
  const atMs = Date.parse(event.at);
  switch (event.kind) {
    case 'signal':
      return { kind: 'signal', signal: signalOf(event.signal) };
    case 'veto':
      return {
        kind: 'veto',
        atMs,
        vetoes: event.vetoes.map(({ code, pid, figures }) => ({ code: code as VetoCode, pid, figures })),
      };
    case 'died':
    case 'note':
      return { ...event, atMs };
    case 'ended':
      return {
        kind: 'ended',
        atMs,
        outcome: event.outcome,
        survivors: view.survivors.map(processOf),
        freed: view.freed,
        outputTail: view.outputTail,
      };
  }
};

const signalOf = ({ at, ...signal }: IncidentView['signals'][number]): Incident['signals'][number] => ({
  ...signal,
  target: visibleText(signal.target),
  atMs: Date.parse(at),
});

/**
 * Returns an incident that another Curfew published, for the local history: its host and id stay,
 * its writer counts as ended. Names that stand between Curfew's own words everywhere are made one
 * visible line.
 */
export const incidentFromView = (view: IncidentView, host: string): Incident => ({
  ...view,
  id: visibleText(view.id),
  job: visibleText(view.job),
  rule: visibleText(view.rule),
  verdict: visibleText(view.verdict),
  session: view.session === null ? null : visibleText(view.session),
  command: redactCommand(view.command),
  // A later Curfew may know more agents.
  agent: agentIds.find((id) => id === view.agent) ?? 'other',
  host,
  atMs: Date.parse(view.at),
  bootId: '',
  writer: { pid: 0, startTicks: 0 },
  reasons: view.reasons.map(({ code, figures }) => ({ code: code as ReasonCode, figures })),
  firstSignal: signalNames.find((name) => name === view.firstSignal) ?? 'TERM',
  processes: view.processes.map(processOf),
  survivors: view.survivors.map(processOf),
  signals: view.signals.map(signalOf),
  events: view.events.map((event) => eventOf(view, event)),
});
