import { words, worded, whyWords } from '../../common/words.ts';
import { say, saidOf } from '../../../../app/text/say.ts';
import { incidentView } from '../../../../app/documents/incident.ts';
import { jobView } from '../../../../app/documents/job.ts';
import type { JobView } from '../../../../app/contract/views/job-view.ts';
import { formatAge } from '../../../../app/format/age.ts';
import { messageOf } from '../../../../app/format/error-message.ts';
import { jsonText } from '../../../../app/format/json.ts';
import { visibleText } from '../../../../app/format/visible.ts';
import type { Incident } from '../../../../app/history/incident.ts';
import { worstFirst } from '../../../../app/judge/worst-first.ts';
import { type Steps, drain } from '../../../../app/process/steps.ts';
import { localHost } from '../../../../app/remote/host-list.ts';
import { agentName } from '../../../../app/text/agent-name.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import type { HostEvents } from '../../../remote/watch/host-events.ts';
import { fit, wrap } from '../../common/table.ts';
import { incidentLines } from '../../common/incident-lines.ts';
import { type Output, paint } from '../../common/output.ts';
import { documentOf } from '../scan.ts';

type Where = Pick<Output, 'colour' | 'columns'>;

const time = (): string => new Date().toTimeString().slice(0, 8);

const jobLines = (
  form: '{on} needs a look' | '{on} is being ended',
  { job, verdict }: JudgedJob,
  output: Where,
  host: string | null,
): readonly string[] => {
  const on = host === null ? job.id : say('{job} on {host}', { job: job.id, host: visibleText(host) });
  const width = Math.min(output.columns, 100);
  const head = `${time()} ${worded(form, { on })}: ${visibleText(job.command)}`;
  return [
    paint(output, 'bold', fit(head, width)),
    fit(
      `         ${agentName(job.agent, job.rule)}, ${worded('{age} old', { age: formatAge(job.ageSeconds) })}: ${whyWords({ reasons: verdict.reasons, ownerSaid: job.owner.evidence })}`,
      width,
    ),
  ];
};

/** The lines of `watch` for each event, at most 100 columns wide. */
const eventLines = {
  noticed: (judged: JudgedJob, output: Where, host: string | null = null): readonly string[] =>
    jobLines('{on} needs a look', judged, output, host),
  reaping: (judged: JudgedJob, output: Where, host: string | null = null): readonly string[] =>
    jobLines('{on} is being ended', judged, output, host),
  /** The machine became unreachable, or reachable again. */
  reach: (host: string, failure: Error | null, output: Where): readonly string[] => {
    const text = failure === null ? worded('{host} is back', { host: visibleText(host) }) : words(saidOf(failure));
    const [first = '', ...rest] = wrap(text, Math.min(output.columns, 100) - 9);
    return [`${time()} ${first}`, ...rest.map((line) => `         ${line}`)];
  },
  ended: (incident: Incident, output: Where): readonly string[] => {
    const [head = '', ...rest] = incidentLines(incident, { ...output, columns: Math.min(output.columns, 100) - 9 });
    return [`${time()} ${head}`, ...rest.map((line) => `       ${line}`)];
  },
};

/** Ms of writing before others get a turn: the supervisor's thread; 500 jobs take 100 ms. */
const sliceMs = 10;

/**
 * Writes lines in the order in which they come, each in parts: a step yields after each part that
 * it wrote. A line that takes longer than a slice goes on in the next turn, and later ones wait for
 * it.
 */
export class LineStream {
  readonly #output: Pick<Output, 'write' | 'warn'>;
  readonly #waiting: Steps<void>[] = [];
  #turn: NodeJS.Immediate | null = null;

  constructor(output: Pick<Output, 'write' | 'warn'>) {
    this.#output = output;
  }

  /** Writes a line of these parts, worked out as they are written. */
  write(parts: Iterable<string>): void {
    this.#waiting.push(this.#written(parts));
    if (this.#turn === null) this.#go();
  }

  /** Writes all that waits now. */
  flush(): void {
    for (const one of this.#waiting.splice(0)) drain(one);
  }

  *#written(parts: Iterable<string>): Steps<void> {
    try {
      for (const part of parts) {
        void this.#output.write(part);
        yield;
      }
    } catch (error) {
      // The supervisor goes on, and so do the other lines.
      this.#output.warn(worded('curfew: a line could not be completed: {why}', { why: saidOf(error) }));
    }
    void this.#output.write('\n');
  }

  #go(): void {
    this.#turn = null;
    const beganMs = performance.now();
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (performance.now() - beganMs >= sliceMs) {
        this.#turn = setImmediate(() => this.#go());
        return;
      }
      if (first.next().done === true) this.#waiting.shift();
    }
  }
}

/** The listeners for events here and on other machines. */
export interface WatchEvents {
  /** Writes what waits to be written; at the end. */
  readonly close: () => void;
  /** Of a machine; without its name: of this one. */
  readonly eventsOf: (host?: string) => HostEvents;
}

const viewOf = (judged: JudgedJob, look: Look): JobView => jobView({ ...judged, table: look.table });

/** Jobs in one part of a line: 2 ms. */
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

/** Returns listeners that print JSON lines. Events of another machine name its `host`. */
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
        ended: (incident) => line({ event: 'ended', ...of, incident: incidentView(incident) }),
        failed: ({ job, error }) => line({ event: 'failed', ...of, job, problem: messageOf(error) }),
        reach: (failure) => line({ event: 'reach', ...of, problem: failure?.message ?? null }),
        problem: (error) => line({ event: 'problem', ...of, problem: messageOf(error) }),
      };
    },
  };
};

/** Returns listeners that print lines for people. */
export const textEvents = (output: Output): WatchEvents => {
  const print = (lines: readonly string[]): void => {
    for (const line of lines) void output.write(`${line}\n`);
  };
  return {
    close: () => undefined,
    eventsOf: (host) => ({
      looked: () => undefined,
      noticed: (judged) => print(eventLines.noticed(judged, output, host)),
      reaping: (judged) => print(eventLines.reaping(judged, output, host)),
      ended: (incident) => print(eventLines.ended(incident, output)),
      failed: ({ job, error }) =>
        output.warn(
          host === undefined
            ? worded('curfew: job {job}: {why}', { job, why: saidOf(error) })
            : worded('curfew: job {job} on {host}: {why}', { job, host, why: saidOf(error) }),
        ),
      reach: (failure) => print(eventLines.reach(host ?? localHost, failure, output)),
      problem: (error) => output.warn(`curfew: ${host === undefined ? '' : `${host}: `}${words(saidOf(error))}`),
    }),
  };
};
