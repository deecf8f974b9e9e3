import { safe } from '../../ui/scene/safe.ts';
import { describe, expect, test } from 'vitest';
import { csvHeader, csvLine } from '../../../app/text/csv.ts';
import { foldIncident } from '../../../app/history/fold.ts';
import { ended, sampleIntent } from './sample.ts';

const names = csvHeader.trimEnd().split(',');

/** Reads a line of RFC 4180. */
const cellsOf = (line: string): readonly string[] => {
  expect(line.endsWith('\r\n')).toBe(true);
  const cells = [...line.slice(0, -2).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",\n]*))/gy)];
  expect(cells.map(([text]) => text).join('')).toBe(line.slice(0, -2));
  return cells.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
};

const cellOf = (command: string): string => {
  const cells = cellsOf(csvLine(foldIncident(sampleIntent({ command }), [])));
  expect(cells).toHaveLength(names.length);
  return cells[names.indexOf('command')] ?? 'no cell';
};

test('an incident is a line', () => {
  const intent = sampleIntent();
  const cells = cellsOf(csvLine(foldIncident(intent, [ended(intent.atMs + 180)])));
  const cell = (name: string): string | undefined => cells[names.indexOf(name)];
  expect(cell('at')).toBe('2026-11-21T02:00:00.000Z');
  expect(cell('outcome')).toBe('reaped');
  expect(cell('reasons')).toBe('its session ended 12 min ago');
  expect([cell('freedProcesses'), cell('freedBytes'), cell('freedPorts')]).toEqual(['2', '94000000', '3000']);
  expect(cell('tookMs')).toBe('180');
});

test('what is not known is an empty cell', () => {
  const cells = cellsOf(csvLine(foldIncident(sampleIntent({ project: null, session: null }), [])));
  expect(cells[names.indexOf('project')]).toBe('');
  expect(cells[names.indexOf('tookMs')]).toBe('');
  expect(cells[names.indexOf('outcome')]).toBe('unfinished');
});

test.each([';', '|', ':', '\t'])('a reader that separates by %j finds no formula in a command', (separator) => {
  const command = `a${separator}=HYPERLINK("http://x")`;
  const line = csvLine(foldIncident(sampleIntent({ command, project: safe(`b${separator}=1`) }), []));
  // Quotes hold cells together for any separator.
  const cells = [...line.matchAll(/"((?:[^"]|"")*)"|[^",\n]+/gu)].map(([, quoted, whole]) => quoted ?? whole ?? '');
  expect(line).toContain(`"b${separator}=1"`);
  expect(line).toContain(`"a${separator}=HYPERLINK(""http://x"")"`);
  expect(cells.filter((cell) => cell.startsWith('='))).toEqual([]);
});

describe('a command in a cell', () => {
  test.each([
    'a,b',
    'say "hi", twice: ""',
    "it's",
    'cat <<EOT\nline, "two"\nEOT',
    ' leading and trailing ',
    'tab\there',
  ])('%j is read back as it was', (command) => {
    expect(cellOf(command)).toBe(command);
  });

  test.each(['=HYPERLINK("http://evil","x")', '+1+1', '-2+3', '@SUM(A1)', '\t=1+1', '\n=1+1', '＝1+1'])(
    '%j is no formula',
    (command) => {
      expect(cellOf(command)).toBe(`'${command}`);
    },
  );

  test('moves no cursor and rings no bell', () => {
    expect(cellOf('printf \u001B[2J\u0007\r')).not.toMatch(/\p{Cc}/u);
  });
});
