import { incidentView } from '../../../app/contract/views/incident-view-of.ts';
import { csvHeader, csvLine } from '../../../app/text/csv.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { english } from '../../../app/text/english.ts';
import { jsonText } from '../../../app/format/json.ts';

/** Characters that are put together before they are handed on. */
const chunkLength = 65_536;

function* jsonDocument(incidents: Iterable<Incident>, indent: number): Generator<string> {
  let before = `{"schema":1,"host":"local","incidents":[`;
  for (const incident of incidents) {
    yield `${before}\n${jsonText(incidentView(incident, english), indent)}`;
    before = ',';
  }
  yield before === ',' ? '\n]}\n' : `${before}]}\n`;
}

function* csvTable(incidents: Iterable<Incident>): Generator<string> {
  yield csvHeader;
  for (const incident of incidents) yield csvLine(incident);
}

/**
 * The same text in large pieces, each made when it is asked for: a slow reader slows the reading of
 * the record.
 */
export function* inChunks(texts: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/**
 * Incidents as one document, in pieces: JSON (schema 1 of `curfew history --json`) or a table of
 * comma separated values.
 * @param indent of the JSON, blanks
 */
export const exportedIncidents = (
  format: 'json' | 'csv',
  incidents: Iterable<Incident>,
  indent = 0,
): Iterable<string> => (format === 'json' ? jsonDocument(incidents, indent) : csvTable(incidents));
