import { redactCommand } from '../../format/secrets/redact.ts';
import { agentIds } from '../../agents/common/agent-id.ts';
import type { Incident, IncidentEvent } from '../../history/incident.ts';
import type { ReasonCode, VetoCode } from '../../judge/verdict.ts';
import { visibleText } from '../../format/visible.ts';
import { signalNames } from '../../process/signal.ts';
import type { IncidentView } from './incident-view.ts';

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
