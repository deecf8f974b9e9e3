import { formatAge } from '../format/age.ts';
import { sayWhy } from './job.ts';
import { visibleLines } from '../format/visible.ts';
import type { Incident } from '../history/incident.ts';

/**
 * A spreadsheet runs a cell that begins like this as a formula, the wide forms in a Japanese one; a
 * leading quote makes it text.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u;

const cell = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = visibleLines(value);
  const safe = formula.test(value) ? `'${text}` : text;
  // A table that is read by another separator must not be cut in the middle of a cell: what would
  // begin there could be a formula.
  return /[",;|:\n\t]|^\s|\s$/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const columns: Readonly<Record<string, (incident: Incident) => string | number | null>> = {
  at: ({ atMs }) => new Date(atMs).toISOString(),
  id: ({ id }) => id,
  host: ({ host }) => host,
  agent: ({ agent }) => agent,
  project: ({ project }) => project,
  session: ({ session }) => session,
  job: ({ job }) => job,
  command: ({ command }) => command,
  outcome: ({ outcome }) => outcome ?? 'unfinished',
  decidedBy: ({ decidedBy }) => decidedBy,
  verdict: ({ verdict }) => verdict,
  reasons: ({ reasons }) => sayWhy(reasons),
  age: ({ ageSeconds }) => formatAge(ageSeconds),
  ageSeconds: ({ ageSeconds }) => ageSeconds,
  freedProcesses: ({ freed }) => freed.processes,
  freedBytes: ({ freed }) => freed.rssBytes,
  freedPorts: ({ freed }) => freed.ports.join(' '),
  freedLocks: ({ freed }) => freed.locks.join(' '),
  survivors: ({ survivors }) => survivors.map(({ pid }) => pid).join(' '),
  tookMs: ({ tookMs }) => tookMs,
};

const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

/** Header line of a CSV table of incidents (RFC 4180, ends with CR LF). */
export const csvHeader: string = line(Object.keys(columns));

/**
 * Returns an incident as a CSV line. Guarantees: as many cells as `csvHeader`, no cell that a
 * spreadsheet would run as a formula, no invisible characters except quoted tabs and line feeds.
 */
export const csvLine = (incident: Incident): string =>
  line(Object.values(columns).map((column) => cell(column(incident))));
