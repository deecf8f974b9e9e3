import { messageOf } from '../../../../app/format/error-message.ts';
import { incidentView } from '../../../../app/contract/views/incident-view-of.ts';
import { jobView } from '../../../../app/contract/views/job-view-of.ts';
import type { JobView } from '../../../../app/contract/views/job-view.ts';
import { localHost } from '../../../../app/remote/host-name.ts';
import { english } from '../../../../app/text/english.ts';
import type { HostEvents } from '../../../remote/watch/host-events.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
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
  /** Of a machine; without its name: of this one. */
  readonly eventsOf: (host?: string) => HostEvents;
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
    eventsOf: (host) => {
      const of = host === undefined ? {} : { host };
      return {
        looked: (look) => lines.write(partsOfLook(look, engine.settings().mode, host)),
        noticed: (judged, look) => line({ event: 'noticed', ...of, job: viewOf(judged, look) }),
        reaping: (judged, look, decidedBy) => line({ event: 'reaping', ...of, decidedBy, job: viewOf(judged, look) }),
        ended: (incident) => line({ event: 'ended', ...of, incident: incidentView(incident, english) }),
        failed: ({ job, error }) => line({ event: 'failed', ...of, job, problem: messageOf(error) }),
        reach: (failure) => line({ event: 'reach', ...of, problem: failure?.message ?? null }),
        problem: (error) => line({ event: 'problem', ...of, problem: messageOf(error) }),
      };
    },
  };
};

/** Returns listeners that print lines for people. */
export const textEvents = (output: Output): WatchEvents => {
  const say = (lines: readonly string[]): void => {
    for (const line of lines) void output.write(`${line}\n`);
  };
  return {
    close: () => undefined,
    eventsOf: (host) => ({
      looked: () => undefined,
      noticed: (judged) => say(eventLines.noticed(judged, output, host)),
      reaping: (judged) => say(eventLines.reaping(judged, output, host)),
      ended: (incident) => say(eventLines.ended(incident, output)),
      failed: ({ job, error }) =>
        output.warn(`curfew: job ${job}${host === undefined ? '' : ` on ${host}`}: ${messageOf(error)}`),
      reach: (failure) => say(eventLines.reach(host ?? localHost, failure, output)),
      problem: (error) => output.warn(`curfew: ${host === undefined ? '' : `${host}: `}${messageOf(error)}`),
    }),
  };
};
