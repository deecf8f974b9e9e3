import { messageOf } from '../../../../app/format/error-message.ts';
import { incidentView } from '../../../../app/contract/views/incident-view-of.ts';
import { jobView } from '../../../../app/contract/views/job-view-of.ts';
import type { JobView } from '../../../../app/contract/views/job-view.ts';
import { english } from '../../../../app/text/english.ts';
import type { HostEvents } from '../../../remote/watch/host-events.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import type { SupervisorEvents } from '../../../supervisor/supervisor-tools.ts';
import { jsonText } from '../../../../app/format/json.ts';
import { worstFirst } from '../../../../app/judge/worst-first.ts';
import { documentOf } from '../scan.ts';
import type { Output } from '../../common/output.ts';
import { LineStream } from './line-stream.ts';
import { eventLines } from './watch-lines.ts';

/** The listeners for events here and on other machines. */
export interface WatchEvents {
  /** Writes what waits to be written; at the end. */
  readonly close: () => void;
  readonly events: SupervisorEvents;
  readonly hostEvents: HostEvents;
}

const viewOf = (judged: JudgedJob, look: Look): JobView => jobView({ ...judged, table: look.table }, english);

/** So many jobs are one part of a line: 2 ms. */
const jobsOfPart = 8;

/** A look as JSON, in parts: with hundreds of jobs, working it out at once takes 100 ms. */
function* partsOfLook(
  look: Look,
  mode: Parameters<typeof documentOf>[1],
  host?: string,
): Generator<string, void, undefined> {
  const { jobs: _later, ...document } = documentOf({ ...look, jobs: new Map() }, mode, true, host);
  yield `${jsonText({ event: 'looked', ...document }).slice(0, -1)},"jobs":[`;
  const jobs = worstFirst(look.jobs.values());
  for (let at = 0; at < jobs.length; at += jobsOfPart) {
    const part = jobs.slice(at, at + jobsOfPart).map((judged) => jsonText(viewOf(judged, look)));
    yield `${at === 0 ? '' : ','}${part.join(',')}`;
  }
  yield ']}';
}

/**
 * Returns listeners that print one JSON document per line. Events of another machine name its
 * `host`.
 */
export const jsonEvents = (engine: Engine, output: Output): WatchEvents => {
  const lines = new LineStream(output);
  const line = (document: unknown): void => lines.write([jsonText(document)]);
  return {
    close: () => lines.flush(),
    events: {
      looked: (look) => lines.write(partsOfLook(look, engine.settings().mode)),
      noticed: (judged, look) => line({ event: 'noticed', job: viewOf(judged, look) }),
      reaping: (judged, look, decidedBy) => line({ event: 'reaping', decidedBy, job: viewOf(judged, look) }),
      ended: (incident) => line({ event: 'ended', incident: incidentView(incident, english) }),
      failed: ({ job, error }) => line({ event: 'failed', job, problem: messageOf(error) }),
      problem: (error) => line({ event: 'problem', problem: messageOf(error) }),
    },
    hostEvents: {
      looked: (host, look) => lines.write(partsOfLook(look, engine.settings().mode, host)),
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

/** Returns listeners that print lines for people. */
export const textEvents = (output: Output): WatchEvents => {
  const say = (lines: readonly string[]): void => {
    for (const line of lines) void output.write(`${line}\n`);
  };
  const ended = (incident: Parameters<SupervisorEvents['ended']>[0]): void => say(eventLines.ended(incident, output));
  return {
    close: () => undefined,
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
