import { messageOf } from '../../../../app/format/error-message.ts';
import { incidentView } from '../../../../app/contract/views/incident-view-of.ts';
import { jobView } from '../../../../app/contract/views/job-view-of.ts';
import type { JobView } from '../../../../app/contract/views/job-view.ts';
import { english } from '../../../../app/text/english.ts';
import type { HostEvents } from '../../../remote/watch/host-events.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import type { SupervisorEvents } from '../../../supervisor/supervisor-tools.ts';
import { documentOf } from '../scan.ts';
import { writeJsonLine, type Output } from '../../common/output.ts';
import { eventLines } from './watch-lines.ts';

/** Who is told what happens, here and on other machines. */
export interface WatchEvents {
  readonly events: SupervisorEvents;
  readonly hostEvents: HostEvents;
}

const viewOf = (judged: JudgedJob, look: Look): JobView => jobView({ ...judged, table: look.table }, english);

/** One document a line, for programs. What happens on another machine says its `host`. */
export const jsonEvents = (engine: Engine, output: Output): WatchEvents => {
  const line = (document: unknown): void => void writeJsonLine(output, document);
  return {
    events: {
      looked: (look) => line({ event: 'looked', ...documentOf(look, engine.settings().mode, true) }),
      noticed: (judged, look) => line({ event: 'noticed', job: viewOf(judged, look) }),
      reaping: (judged, look, decidedBy) => line({ event: 'reaping', decidedBy, job: viewOf(judged, look) }),
      ended: (incident) => line({ event: 'ended', incident: incidentView(incident, english) }),
      failed: ({ job, error }) => line({ event: 'failed', job, problem: messageOf(error) }),
      problem: (error) => line({ event: 'problem', problem: messageOf(error) }),
    },
    hostEvents: {
      looked: (host, look) => line({ event: 'looked', ...documentOf(look, engine.settings().mode, true, host) }),
      noticed: (host, judged, look) => line({ event: 'noticed', host, job: viewOf(judged, look) }),
      reaping: (host, judged, look, decidedBy) =>
        line({ event: 'reaping', host, decidedBy, job: viewOf(judged, look) }),
      ended: (incident) => line({ event: 'ended', host: incident.host, incident: incidentView(incident, english) }),
      failed: (host, { job, error }) => line({ event: 'failed', host, job, problem: messageOf(error) }),
      reach: (host, failure) => line({ event: 'reach', host, problem: failure?.message ?? null }),
      problem: (host, error) => line({ event: 'problem', host, problem: messageOf(error) }),
    },
  };
};

/** Lines for people. */
export const textEvents = (output: Output): WatchEvents => {
  const say = (lines: readonly string[]): void => {
    for (const line of lines) void output.write(`${line}\n`);
  };
  const ended = (incident: Parameters<SupervisorEvents['ended']>[0]): void => say(eventLines.ended(incident, output));
  return {
    events: {
      looked: () => undefined,
      noticed: (judged) => say(eventLines.noticed(judged, output)),
      reaping: (judged) => say(eventLines.reaping(judged, output)),
      ended,
      failed: (failure) => output.warn(`curfew: job ${failure.job}: ${messageOf(failure.error)}`),
      problem: (error) => output.warn(`curfew: ${messageOf(error)}`),
    },
    hostEvents: {
      looked: () => undefined,
      noticed: (host, judged) => say(eventLines.noticed(judged, output, host)),
      reaping: (host, judged) => say(eventLines.reaping(judged, output, host)),
      ended,
      failed: (host, failure) => output.warn(`curfew: job ${failure.job} on ${host}: ${messageOf(failure.error)}`),
      reach: (host, failure) => say(eventLines.reach(host, failure, output)),
      problem: (host, error) => output.warn(`curfew: ${host}: ${messageOf(error)}`),
    },
  };
};
