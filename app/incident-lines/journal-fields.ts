import { terminalSafeJson } from '../format/json.ts';
import type { Line } from './line.ts';

/** Priorities of syslog(3), by severity. */
const priorities: Readonly<Record<Line['severity_text'], 3 | 4 | 6>> = { ERROR: 3, WARN: 4, INFO: 6 };

/**
 * What each kind of line is found by (`journalctl MESSAGE_ID=…`): drawn once, never changed.
 * https://www.freedesktop.org/software/systemd/man/latest/sd_journal_print.html
 */
export const messageIds: Readonly<Record<Line['event.name'], string>> = {
  'curfew.job.noticed': '307fed8987a643dab2a7b8d9403dd69c',
  'curfew.job.ended': '05f61a0b7be54090a244620451fd123b',
  'curfew.job.failed': '3f84fb55eb834d28a64e1ffe62a5d0ee',
  'curfew.problem': '922f005879ad424d817b44799dab4023',
  'curfew.host.unreachable': '97d9f0d626a841d4a55c737801150013',
  'curfew.host.returned': 'c39225a3d4e8495196785f96e3418993',
  'curfew.lines.lost': '4a9b70a28bd34644850227c11326eeeb',
};

/** The syslog priority of a line. */
export const priorityOf = (line: Line): 3 | 4 | 6 => priorities[line.severity_text];

/** A line as the text that is written: JSON, without a line break. */
export const lineText = (line: Line): string => terminalSafeJson(JSON.stringify(line));

const valueText = (value: unknown): string => (Array.isArray(value) ? value.join(' ') : String(value));

/**
 * Returns a line as fields of the journal: each name in upper case with underscores
 * (`curfew.job.id` is `CURFEW_JOB_ID`), lists with blanks between, the sentence as MESSAGE, and the
 * whole line once more as CURFEW_LINE, for collectors that take JSON.
 */
export const journalFields = (line: Line): readonly (readonly [string, string])[] => {
  const { body, ...rest } = line;
  return [
    ['MESSAGE', body],
    ['MESSAGE_ID', messageIds[line['event.name']]],
    ['PRIORITY', String(priorityOf(line))],
    ['SYSLOG_IDENTIFIER', 'curfew'],
    ...Object.entries(rest).map(
      ([name, value]) => [name.toUpperCase().replaceAll(/[^A-Z0-9]/gu, '_'), valueText(value)] as const,
    ),
    ['CURFEW_LINE', lineText(line)],
  ];
};
