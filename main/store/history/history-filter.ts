import { removalView } from '../../../app/documents/files.ts';
import { incidentView } from '../../../app/documents/incident.ts';
import { jsonText } from '../../../app/format/json.ts';
import { type HistoryFilter, projectMatches, searchWords } from '../../../app/history/filter.ts';
import type { Incident } from '../../../app/history/incident.ts';
import type { Removal } from '../../../app/history/removal.ts';
import { csvHeader, csvLine } from '../../../app/text/csv.ts';
import { numberCell, textCell, type Connection } from '../database/sqlite.ts';
import type { NameKind } from './journal-rows.ts';

/** Characters that are put together before they are handed on. */
const chunkLength = 65_536;

function* jsonDocument(incidents: Iterable<Incident>, removals: readonly Removal[], indent: number): Generator<string> {
  let before = `{"schema":1,"host":"local","incidents":[`;
  for (const incident of incidents) {
    yield `${before}\n${jsonText(incidentView(incident), indent)}`;
    before = ',';
  }
  before = `${before === ',' ? '\n' : before}],"removals":[`;
  for (const removal of removals) {
    yield `${before}\n${jsonText(removalView(removal), indent)}`;
    before = ',';
  }
  yield before === ',' ? '\n]}\n' : `${before}]}\n`;
}

function* csvTable(incidents: Iterable<Incident>): Generator<string> {
  yield csvHeader;
  for (const incident of incidents) yield csvLine(incident);
}

/** The text in large pieces made on request: a slow reader slows the record's reading. */
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
 * comma separated values, which has no column for removals.
 * @param indent of the JSON, blanks
 */
export const exportedIncidents = (
  format: 'json' | 'csv',
  incidents: Iterable<Incident>,
  removals: readonly Removal[],
  indent = 0,
): Iterable<string> => (format === 'json' ? jsonDocument(incidents, removals, indent) : csvTable(incidents));

export interface IncidentCondition {
  /** `FROM … WHERE …` */
  readonly from: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** Everything in a LIKE pattern that isn't itself. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/gu, String.raw`\$&`);

/** The number of a name as SQL; NULL, which equals nothing, when it never occurred. */
const numbered = (kind: NameKind, parameter: string): string =>
  `(SELECT number FROM name WHERE kind = '${kind}' AND value = :${parameter})`;

/** The meant projects' numbers: there are few, each asked as `projectMatches` does. */
const projectNumbers = (connection: Connection, asked: string): readonly number[] =>
  connection
    .prepare("SELECT number, value FROM name WHERE kind = 'project'")
    .all()
    .filter((row) => projectMatches(textCell(row['value']), asked))
    .map((row) => numberCell(row['number']));

/**
 * The filter as SQL; a property test compares it with plain code. What the user typed is always a
 * parameter. Which index is read is said here, because the planner has no statistics of a young
 * database: without words the narrow one, else the table itself.
 */
export const incidentCondition = (connection: Connection, filter: HistoryFilter): IncidentCondition => {
  const conditions: string[] = [];
  const parameters: Record<string, string | number> = {};
  const add = (name: string, value: string | number | null | undefined, condition: string): void => {
    if (value === undefined || value === null) return;
    conditions.push(condition);
    parameters[name] = value;
  };

  add('since', filter.sinceMs, 'at_ms >= :since');
  add('until', filter.untilMs, 'at_ms < :until');
  if (filter.outcome === 'unfinished') conditions.push('outcome IS NULL');
  else add('outcome', filter.outcome, `outcome = ${numbered('outcome', 'outcome')}`);
  add('agent', filter.agent?.toWellFormed(), `agent = ${numbered('agent', 'agent')}`);
  add('host', filter.host?.toWellFormed(), `host = ${numbered('host', 'host')}`);
  if (filter.project !== undefined && filter.project !== null) {
    conditions.push(`project IN (${projectNumbers(connection, filter.project).join(', ')})`);
  }
  const words = searchWords(filter.text ?? '');
  for (const [index, word] of words.entries()) {
    add(`word${index}`, `%${literal(word)}%`, String.raw`search LIKE :word${index} ESCAPE '\'`);
  }
  const table = words.length === 0 ? 'incident INDEXED BY incident_facets' : 'incident NOT INDEXED';
  return { from: `FROM ${table} WHERE ${conditions.length === 0 ? 'TRUE' : conditions.join(' AND ')}`, parameters };
};
