import { warned } from '../../../../app/text/say.ts';
import { worded } from '../../common/words.ts';
import { homedir } from 'node:os';
import { z } from 'zod';
import { endedLine } from '../../../../app/incident-lines/job-lines.ts';
import { lineText } from '../../../../app/incident-lines/journal-fields.ts';
import { lineSourceOf } from '../../../incident-lines/incident-lines.ts';
import { type Incident, outcomes } from '../../../../app/history/incident.ts';
import type { Removal } from '../../../../app/history/removal.ts';
import { agentIds } from '../../../../app/agents/common/agent-id.ts';
import { History, type HistoryQuery } from '../../../store/history/history.ts';
import { exportedIncidents, inChunks } from '../../../store/history/history-filter.ts';
import { historyPlace } from '../../../store/history/history-design.ts';
import { placesHere } from '../../../store/places.ts';
import { sayStoreNotice } from '../../../store/database/store-failure.ts';
import { type ExitStatus, wrongCall, exitStatus } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { historyRow, removalRow } from './history-table.ts';
import { incidentReport } from './incident-report.ts';

/** How the record is printed. */
const historyFormats = ['table', 'json', 'csv', 'otel'] as const;

/** Options of `curfew history` as parsed from the command line; `since` in seconds before now. */
const optionsSchema = z.object({
  since: z.number().nonnegative().optional(),
  agent: z.enum(agentIds).optional(),
  project: z.string().optional(),
  outcome: z.enum(outcomes).optional(),
  host: z.string().optional(),
  limit: z.number().int().positive().optional(),
  format: z.enum(historyFormats).optional(),
  json: z.boolean().optional(),
});

/** Default limit on a terminal, where the newest would scroll away. */
const shownOnTerminal = 50;

const writeAll = async (output: Output, texts: Iterable<string>): Promise<void> => {
  for (const chunk of inChunks(texts)) await output.write(chunk);
};

/** Incidents and removals in one order, newest first, each as its lines. */
function* rows(incidents: Iterable<Incident>, removals: readonly Removal[], output: Output): Generator<string> {
  const left = [...removals].toReversed();
  const lines = (of: readonly string[]): string => `${of.join('\n')}\n`;
  for (const incident of incidents) {
    for (let next = left.at(-1); next !== undefined && next.atMs > incident.atMs; next = left.at(-1)) {
      left.pop();
      yield lines(removalRow(next, output));
    }
    yield lines(historyRow(incident, output));
  }
  for (const next of left.toReversed()) yield lines(removalRow(next, output));
}

function* table(all: Iterable<string>, limit: number | null, filtered: boolean): Generator<string> {
  let shown = 0;
  for (const row of all) {
    if (shown === limit) return;
    shown += 1;
    yield row;
  }
  if (shown === 0) yield `${worded(filtered ? 'No incident matches.' : 'Nothing has been recorded yet.')}\n`;
}

/** A line for collectors of each that is complete, as `watch --incidents` tells them. */
function* linesOf(incidents: Iterable<Incident>): Generator<string> {
  const source = lineSourceOf(process.getuid?.() ?? 0);
  for (const incident of incidents) {
    const line = endedLine(source, incident);
    if (line !== null) yield `${lineText(line)}\n`;
  }
}

/** Reads the first part at once, so that an unreadable file is an error before any output. */
const begun = (incidents: Generator<Incident>): Iterable<Incident> => {
  const first = incidents.next();
  return (function* all() {
    if (first.done === true) return;
    yield first.value;
    yield* incidents;
  })();
};

/**
 * Returns the incident with this id, or the latest of the job with it.
 * @throws WrongCall when there is none
 */
const incidentOf = (record: History, id: string): Incident => {
  const exact = record.get(id);
  if (exact !== null) return exact;
  for (const incident of record.query({})) if (incident.job === id) return incident;
  throw wrongCall('no incident or job {id} is on record; run `curfew history` to list them', {
    id: JSON.stringify(id),
  });
};

/**
 * `curfew history`: the record, newest first, as a table in words, one JSON document, CSV, or lines
 * for collectors. Streams, so that 100,000 incidents don't fill memory.
 * @throws WrongCall, and StoreFailure when the record can't be read
 */
export const history = async (id: string | null, given: unknown, output: Output): Promise<ExitStatus> => {
  const options = optionsSchema.parse(given);
  if (options.json === true && options.format !== undefined && options.format !== 'json') {
    throw wrongCall('--json and --format {format} exclude each other', { format: options.format });
  }
  const format = options.json === true ? 'json' : (options.format ?? 'table');
  const places = placesHere(homedir());
  const record = new History(
    historyPlace(places.history, Date.now, (notice) => output.warn(warned(sayStoreNotice(notice)))),
  );
  const filter = {
    sinceMs: options.since === undefined ? null : Date.now() - options.since * 1000,
    agent: options.agent ?? null,
    project: options.project ?? null,
    outcome: options.outcome ?? null,
    host: options.host ?? null,
  } satisfies HistoryQuery;
  if (id !== null) {
    const { limit: _limit, format: _format, json: _json, ...filters } = options;
    if (Object.keys(filters).length > 0) throw wrongCall('an id stands alone: without filters');
    const incident = incidentOf(record, id);
    if (format === 'table') await output.write(incidentReport(incident, output));
    else if (format === 'otel') await writeAll(output, linesOf([incident]));
    else await writeAll(output, exportedIncidents(format, [incident], [], output.isTerminal ? 2 : 0));
    return exitStatus.done;
  }
  const unasked = format === 'table' && output.isTerminal && options.limit === undefined;
  const limit = options.limit ?? (unasked ? shownOnTerminal : null);
  const incidents = begun(record.query({ ...filter, limit }));
  // What was removed has a list of its own in the document, and no line for collectors.
  const removals = format === 'json' || format === 'table' ? record.removals(filter, limit) : [];
  switch (format) {
    case 'json':
      await writeAll(output, exportedIncidents('json', incidents, removals, output.isTerminal ? 2 : 0));
      break;
    case 'csv':
      await writeAll(output, exportedIncidents('csv', incidents, []));
      break;
    case 'otel':
      await writeAll(output, linesOf(incidents));
      break;
    case 'table': {
      await writeAll(
        output,
        table(
          rows(incidents, removals, output),
          limit,
          Object.values(filter).some((value) => value !== null),
        ),
      );
      const rest = unasked
        ? record.overview(filter).incidents + record.removals(filter, null).length - shownOnTerminal
        : 0;
      if (rest > 0)
        output.warn(worded('… and {count} older; --limit and --since choose how many are shown.', { count: rest }));
      break;
    }
  }
  return exitStatus.done;
};
